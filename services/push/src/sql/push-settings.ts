import type { Sql } from '@parley/kit/postgres';

/** How pushes of an application are sent. */
export type PushSettings = {
  /** Whether pushes have no texts and no sender. */
  idsOnly: boolean;
  /** A device shows the newest push of each conversation alone. */
  collapseByConversation: boolean;
  /** None to users who are connected. */
  skipConnectedUsers: boolean;
};

type Row = { ids_only: boolean; collapse_by_conversation: boolean; skip_connected_users: boolean };

export async function getPushSettings(sql: Sql, appId: string): Promise<PushSettings> {
  const [row] = await sql.query<Row>({
    name: 'get_push_settings',
    text: `
      select ids_only, collapse_by_conversation, skip_connected_users from push_settings where app_id = $1`,
    values: [appId],
  });
  return toSettings(row);
}

/** Changes the given settings alone; undefined: the application is deleted. */
export async function upsertPushSettings(
  sql: Sql,
  appId: string,
  { idsOnly, collapseByConversation, skipConnectedUsers }: Partial<PushSettings>,
): Promise<PushSettings | undefined> {
  const [row] = await sql.query<Row>({
    text: `
      insert into push_settings as known (app_id, ids_only, collapse_by_conversation, skip_connected_users)
      select $1, coalesce($2, false), coalesce($3, false), coalesce($4, false)
      where not exists (select from app_tombstone where app_id = $1)
      on conflict (app_id) do update set ids_only = coalesce($2, known.ids_only),
        collapse_by_conversation = coalesce($3, known.collapse_by_conversation),
        skip_connected_users = coalesce($4, known.skip_connected_users)
      returning ids_only, collapse_by_conversation, skip_connected_users`,
    values: [appId, idsOnly ?? null, collapseByConversation ?? null, skipConnectedUsers ?? null],
  });
  return row && toSettings(row);
}

function toSettings(row: Row | undefined): PushSettings {
  return {
    idsOnly: row?.ids_only ?? false,
    collapseByConversation: row?.collapse_by_conversation ?? false,
    skipConnectedUsers: row?.skip_connected_users ?? false,
  };
}
