import type { Sql } from '@parley/kit/postgres';
import type { ChangeRow } from './change-list.ts';

/** The position of a scan in the change log: the last change that was read. */
export type ChangeCursor = { appId: string; conversationId: string; seq: number };

/** `since`, and `until`, which is excluded: milliseconds. A scan without `until` does not end where changes are added at its end. */
export type ChangeScan = { since: number; until?: number; after: ChangeCursor; limit: number };
type ScannedRow = ChangeRow & { app_id: string };

/** Changes of all apps since a time, by conversation and change number. */
export function scanChanges(
  sql: Sql,
  { since, until = Infinity, after, limit }: ChangeScan,
): Promise<ScannedRow[]> {
  return sql.query({
    name: 'scan_changes',
    text: `
      select app_id, conversation_id, seq, created_at, event from change
      where created_at >= to_timestamp($1::float8 / 1000) and created_at < to_timestamp($6::float8 / 1000)
        and (app_id, conversation_id, seq) > ($2::uuid, $3::uuid, $4::int8)
      order by app_id, conversation_id, seq limit $5`,
    values: [since, after.appId, after.conversationId, after.seq, limit, until],
  });
}

/** Scans the changes of the one app that the cursor names. */
export function scanAppChanges(
  sql: Sql,
  { since, until = Infinity, after, limit }: ChangeScan,
): Promise<ScannedRow[]> {
  return sql.query({
    name: 'scan_app_changes',
    text: `
      select app_id, conversation_id, seq, created_at, event from change
      where created_at >= to_timestamp($1::float8 / 1000) and created_at < to_timestamp($6::float8 / 1000)
        and app_id = $2 and (conversation_id, seq) > ($3::uuid, $4::int8)
      order by conversation_id, seq limit $5`,
    values: [since, after.appId, after.conversationId, after.seq, limit, until],
  });
}
