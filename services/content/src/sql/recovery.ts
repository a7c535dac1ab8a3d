import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import { STATUS } from './content.ts';

const PAGE = 500;

export type ReleasedRow = { app_id: string; id: string };

/** A page of messages that were deleted since a time (milliseconds), after one, in the order of their ids. */
export function listReleased(
  sql: Sql,
  { since, afterAppId, afterId }: { since: number; afterAppId: string; afterId: string },
): Promise<ReleasedRow[]> {
  return sql.query<ReleasedRow>({
    text: `
      select app_id, id from content_message
      where deleted_at >= to_timestamp($1::float8 / 1000) and (app_id, id) > ($2::uuid, $3::uuid)
      order by app_id, id limit ${PAGE}`,
    values: [since, afterAppId || NIL_UUID, afterId || NIL_UUID],
  });
}

/** Takes back that a message was deleted. */
export async function reviveMessage(sql: Sql, { appId, id }: { appId: string; id: string }): Promise<void> {
  await sql.execute({
    text: `update content_message set deleted_at = null where app_id = $1 and id = $2 and deleted_at is not null`,
    values: [appId, id],
  });
}

export type FoundContent = {
  appId: string;
  id: string;
  userId: string;
  incarnation: number;
  conversationId: string;
  contentType: string;
  /** Bytes that the store has. */
  size: number;
  tokenHash: Buffer;
  at: number;
};

/** Enters a content that the store has as uploaded; a row that says otherwise is corrected. */
export async function enterContent(sql: Sql, content: FoundContent): Promise<void> {
  await sql.execute({
    text: `
      insert into content as known (app_id, id, status, user_id, by_server, conversation_id, size, content_type, token_hash,
        created_at, active_at, stored, uploaded_at, unreferenced_since, incarnation)
      values ($1, $2, ${STATUS.uploaded}, $3, false, $4::uuid, $5, $6, $7, to_timestamp($8::float8 / 1000),
        to_timestamp($8::float8 / 1000), $5, to_timestamp($8::float8 / 1000), to_timestamp($8::float8 / 1000),
        nullif($9::float8, 0))
      on conflict (app_id, id) do update set status = ${STATUS.uploaded}, size = excluded.size, stored = excluded.stored,
        uploaded_at = coalesce(known.uploaded_at, excluded.uploaded_at), store_upload_id = null, lease_id = null,
        lease_until = null, ended_at = null, purged_at = null, unreferenced_since = excluded.unreferenced_since
      where known.status <> ${STATUS.uploaded}`,
    values: [
      content.appId,
      content.id,
      content.userId,
      content.conversationId,
      content.size,
      content.contentType,
      content.tokenHash,
      content.at,
      content.incarnation,
    ],
  });
}
