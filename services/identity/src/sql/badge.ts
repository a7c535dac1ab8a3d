import type { Sql } from '@parley/kit/postgres';
import type { UserKey } from './identity.ts';

export async function findExternalUnreadCount(sql: Sql, { appId, userId }: UserKey): Promise<number> {
  const [row] = await sql.query<{ external_unread_count: number }>({
    text: `select external_unread_count from badge where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
  return row?.external_unread_count ?? 0;
}

export async function upsertExternalUnreadCount(sql: Sql, user: UserKey, count: number): Promise<void> {
  await sql.execute({
    text: `
      insert into badge (app_id, user_id, external_unread_count) values ($1, $2, $3)
      on conflict (app_id, user_id) do update set external_unread_count = excluded.external_unread_count`,
    values: [user.appId, user.userId, count],
  });
}

export async function deleteBadge(sql: Sql, { appId, userId }: UserKey): Promise<void> {
  await sql.execute({
    text: `delete from badge where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
}
