import type { JsonObject } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import type { Sql } from '@parley/kit/postgres';
import type { UserKey } from './identity.ts';

export type PushToken = {
  deviceId: string;
  type: string;
  token: string;
  details: JsonObject;
  updatedAt: number;
  /** The session that registers it; undefined: a server does. */
  sessionId?: string | undefined;
};

/** Sets the push token of a user's device. */
export async function upsertPushToken(
  sql: Sql,
  { appId, userId }: UserKey,
  { deviceId, type, token, details, updatedAt, sessionId }: PushToken,
): Promise<void> {
  await sql.execute({
    name: 'upsert_push_token',
    text: `
      insert into push_token (app_id, user_id, device_id, type, token, details, updated_at, session_id)
      values ($1, $2, $3, $4, $5, $6::json, to_timestamp($7::float8 / 1000), $8)
      on conflict (app_id, user_id, device_id) do update
      set type = excluded.type, token = excluded.token, details = excluded.details, updated_at = excluded.updated_at,
        session_id = excluded.session_id`,
    values: [appId, userId, deviceId, type, token, JSON.stringify(details), updatedAt, sessionId ?? null],
  });
}

/**
 * Locks a token of an application until the end of the transaction, registered or not, so that of two registrations at once the later one ends
 * the earlier. `gcm` is an old name of `fcm`.
 */
export async function lockPushToken(
  sql: Sql,
  appId: string,
  { type, token }: Pick<PushToken, 'type' | 'token'>,
): Promise<void> {
  await sql.execute({
    name: 'lock_push_token',
    text: `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
    values: [`push-token/${appId}/${type.replace('gcm', 'fcm')}/${token}`],
  });
}

/** Deletes the registrations of a token but for that of this device of the user. */
export async function deleteOtherRegistrations(
  sql: Sql,
  { appId, userId }: UserKey,
  { deviceId, type, token }: Pick<PushToken, 'deviceId' | 'type' | 'token'>,
): Promise<void> {
  await sql.execute({
    name: 'delete_other_registrations',
    text: `
      delete from push_token
      where app_id = $1 and md5(token) = md5($4) and token = $4
        and replace(type, 'gcm', 'fcm') = replace($5, 'gcm', 'fcm') and (user_id, device_id) <> ($2, $3)`,
    values: [appId, userId, deviceId, token, type],
  });
}

export async function countPushTokens(sql: Sql, { appId, userId }: UserKey): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    text: `select count(*)::int as count from push_token where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
  return row?.count ?? 0;
}

export type DeviceRow = { device_id: string; type: string; updated_at: number };

/** The devices of a user that have a push token, by their ids. */
export function listDevices(sql: Sql, { appId, userId }: UserKey): Promise<DeviceRow[]> {
  return sql.query<DeviceRow>({
    text: `
      select device_id, type, updated_at from push_token
      where app_id = $1 and user_id = $2 order by device_id`,
    values: [appId, userId],
  });
}

/** Deletes the token of a device; with `token` only if the device still has that one. */
export async function deletePushToken(
  sql: Sql,
  { appId, userId }: UserKey,
  { deviceId, token }: { deviceId: string; token?: string | undefined },
): Promise<void> {
  await sql.execute({
    text: `
      delete from push_token
      where app_id = $1 and user_id = $2 and device_id = $3 and ($4::text is null or token = $4)`,
    values: [appId, userId, deviceId, token ?? null],
  });
}

/** Deletes the tokens that a session registered. */
export async function deletePushTokensOfSession(
  sql: Sql,
  { appId, userId }: UserKey,
  sessionId: string,
): Promise<void> {
  await sql.execute({
    text: `delete from push_token where app_id = $1 and user_id = $2 and session_id = $3`,
    values: [appId, userId, sessionId],
  });
}

export async function deletePushTokens(sql: Sql, { appId, userId }: UserKey): Promise<void> {
  await sql.execute({
    text: `delete from push_token where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
}

export type PushTargetRow = {
  user_id: string;
  device_id: string;
  type: string;
  token: string;
  details: JsonObject;
  updated_at: number;
  external_unread_count: number;
  incarnation: number;
  is_connected: boolean;
};

/** The newest push tokens of each user who is neither suspended nor deleted. */
export function listPushTokens(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<PushTargetRow[]> {
  return sql.query<PushTargetRow>({
    name: 'list_push_tokens',
    text: `
      select t.user_id, t.device_id, t.type, t.token, t.details, t.updated_at,
        coalesce(b.external_unread_count, 0) as external_unread_count, i.incarnation,
        exists (select from presence_hold h where h.app_id = i.app_id and h.user_id = i.user_id) as is_connected
      from identity i
      cross join lateral (
        select * from push_token where app_id = i.app_id and user_id = i.user_id
        order by updated_at desc limit $3) as t
      left join badge b on b.app_id = t.app_id and b.user_id = t.user_id
      where i.app_id = $1 and i.user_id = any($2::text[]) and not i.suspended and not i.deleted
      order by t.user_id, t.device_id`,
    values: [appId, userIds, limits.pushDevices],
  });
}
