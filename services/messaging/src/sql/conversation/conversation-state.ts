import type { JsonObject } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import type { ConversationRef, ConversationRow } from './conversation.ts';
import type { Statement } from '../statement.ts';

/** Writes a locked conversation whose participants, metadata or existence changed. */
export function updateConversationState(row: ConversationRow, metadata: JsonObject): Statement {
  return {
    name: 'update_conversation_state',
    text: `
      update conversation
      set seq = $3::int8, members_seq = $4::int8, changed_at = coalesce(to_timestamp($5::float8 / 1000), changed_at),
        audience_shards = $6::bit(64), metadata = $7::json,
        distinct_key = case when $8::boolean and $9::float8 is null then distinct_key end,
        deleted_at = to_timestamp($9::float8 / 1000), frozen_at = to_timestamp($10::float8 / 1000), frozen_by = $11::text,
        slow_mode = $12::int4, side_tables = $13::int4
      where app_id = $1::uuid and id = $2::uuid`,
    values: [
      row.app_id,
      row.id,
      row.seq,
      row.members_seq,
      row.changed_at,
      row.audience_shards,
      JSON.stringify(metadata),
      row.is_distinct,
      row.deleted_at,
      row.frozen_at,
      row.frozen_by,
      row.slow_mode,
      row.side_tables,
    ],
  };
}

export async function getMetadata(sql: Sql, { appId, id }: ConversationRef): Promise<JsonObject> {
  const [row] = await sql.query<{ metadata: JsonObject }>({
    name: 'get_metadata',
    text: 'select metadata from conversation where app_id = $1 and id = $2',
    values: [appId, id],
  });
  return row?.metadata ?? {};
}
