import type { JsonObject } from '@bufbuild/protobuf';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from './conversation.ts';

export type NewConversation = ConversationRow & {
  last_message_at: number;
  changed_at: number;
  created_by: string | null;
  request_id: string | null;
  distinct_key: Buffer | null;
  metadata: JsonObject;
};

/** False when the id or the distinct key is taken. */
export async function insertConversation(sql: Sql, row: NewConversation): Promise<boolean> {
  const inserted = await sql.execute({
    name: 'insert_conversation',
    text: `
      insert into conversation (app_id, id, created_at, created_by, request_id, distinct_key, metadata, seq,
        members_seq, last_message_at, changed_at, audience_shards, type, frozen_at, frozen_by, slow_mode)
      values ($1, $2, to_timestamp($3::float8 / 1000), $4, $5, $6, $7::json, $8, $9,
        to_timestamp($10::float8 / 1000), to_timestamp($11::float8 / 1000), $12::bit(64), $13,
        to_timestamp($14::float8 / 1000), $15, $16)
      on conflict do nothing`,
    values: [
      row.app_id,
      row.id,
      row.created_at,
      row.created_by,
      row.request_id,
      row.distinct_key,
      JSON.stringify(row.metadata),
      row.seq,
      row.members_seq,
      row.last_message_at,
      row.changed_at,
      row.audience_shards,
      row.type,
      row.frozen_at,
      row.frozen_by,
      row.slow_mode,
    ],
  });
  return inserted === 1;
}

/** A conversation that has the id or the distinct key of a new one. */
export type ExistingConversationRow = {
  id: string;
  created_by: string | null;
  request_id: string | null;
  metadata: JsonObject;
  deleted: boolean;
};

/** The conversation with the same id comes first. */
export function listExistingConversations(
  sql: Sql,
  wanted: { appId: string; id: string; distinctKey: Buffer | null },
): Promise<ExistingConversationRow[]> {
  return sql.query<ExistingConversationRow>({
    name: 'list_existing_conversations',
    text: `
      select c.id, c.created_by, c.request_id, c.metadata, c.deleted_at is not null as deleted
      from (
        select id from conversation where app_id = $1 and id = $2
        union
        select id from conversation where app_id = $1 and distinct_key = $3
      ) as existing
      join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = existing.id')} on true
      order by c.id = $2 desc`,
    values: [wanted.appId, wanted.id, wanted.distinctKey],
  });
}
