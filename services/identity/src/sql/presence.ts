import type { Sql, Tx } from '@parley/kit/postgres';
import type { UserKey } from './identity.ts';

export type PresenceRow = {
  app_id: string;
  user_id: string;
  /** parley.identity.v1.PresenceStatus. */
  status: number;
  last_seen_at: number | null;
  changed_at: number;
  version: number;
  is_connected: boolean;
};

/** Records that a gateway is alive. False: the gateway was not on record. */
export async function touchGateway(tx: Tx, gatewayId: string, now: number): Promise<boolean> {
  const [row] = await tx.query<{ is_known: boolean }>({
    name: 'touch_presence_gateway',
    text: `
      insert into presence_gateway as gateway (gateway_id, seen_at) values ($1, to_timestamp($2::float8 / 1000))
      on conflict (gateway_id) do update set seen_at = greatest(gateway.seen_at, excluded.seen_at)
      returning xmax <> 0 as is_known`,
    values: [gatewayId, now],
  });
  return row?.is_known ?? false;
}

/** Locks the identities of users against erasures until the end of the transaction; answers their incarnations, where they have one. */
export function shareIncarnations(
  tx: Tx,
  users: readonly UserKey[],
): Promise<{ app_id: string; user_id: string; incarnation: number }[]> {
  return tx.query({
    name: 'share_incarnations',
    text: `
      select i.app_id, i.user_id, i.incarnation from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      join identity i on i.app_id = ref.app_id and i.user_id = ref.user_id
      order by i.app_id, i.user_id for share of i`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  });
}

/**
 * Inserts presences for the users who have none. A version begins with the time, so that it is beyond those of an erased person with
 * the same user id, which gateways may know.
 */
export async function insertPresences(tx: Tx, users: readonly UserKey[], now: number): Promise<void> {
  await tx.execute({
    name: 'insert_presences',
    text: `
      insert into presence (app_id, user_id, changed_at, version)
      select app_id, user_id, to_timestamp($3::float8 / 1000), floor($3::float8)::int8 from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      order by app_id, user_id
      on conflict do nothing`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId), now],
  });
}

/** Locks presences in the order of their keys, so that batches of several gateways do not deadlock. */
export async function lockPresences(tx: Tx, users: readonly UserKey[]): Promise<PresenceRow[]> {
  await tx.execute({
    name: 'lock_presences',
    text: `
      select from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      join presence p on p.app_id = ref.app_id and p.user_id = ref.user_id
      order by p.app_id, p.user_id for update of p`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  });
  return listPresences(tx, users);
}

export function listPresences(sql: Sql, users: readonly UserKey[]): Promise<PresenceRow[]> {
  return sql.query<PresenceRow>({
    name: 'list_presences',
    text: `
      select p.app_id, p.user_id, p.status, p.last_seen_at, p.changed_at, p.version,
        exists (select from presence_hold h where h.app_id = p.app_id and h.user_id = p.user_id) as is_connected
      from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      join presence p on p.app_id = ref.app_id and p.user_id = ref.user_id`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  });
}

/** Records that users are connected to a gateway. */
export async function insertHolds(tx: Tx, users: readonly UserKey[], gatewayId: string): Promise<void> {
  await tx.execute({
    name: 'insert_presence_holds',
    text: `
      insert into presence_hold (app_id, user_id, gateway_id)
      select app_id, user_id, $3 from unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      on conflict do nothing`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId), gatewayId],
  });
}

/** `is not distinct from` keeps the planner from reading all rows of the gateway for each user. */
export async function deleteHolds(tx: Tx, users: readonly UserKey[], gatewayId: string): Promise<void> {
  await tx.execute({
    name: 'delete_presence_holds',
    text: `
      delete from presence_hold h using unnest($1::uuid[], $2::text[]) as ref (app_id, user_id)
      where h.app_id = ref.app_id and h.user_id = ref.user_id
        and h.gateway_id is not distinct from $3::uuid`,
    values: [users.map(({ appId }) => appId), users.map(({ userId }) => userId), gatewayId],
  });
}

export type PresenceUpdate = UserKey & {
  status: number;
  lastSeenAt: number | null;
  changedAt: number;
  version: number;
};

export async function updatePresences(tx: Tx, updates: readonly PresenceUpdate[]): Promise<void> {
  await tx.execute({
    name: 'update_presences',
    text: `
      update presence p
      set status = row.status, last_seen_at = to_timestamp(row.last_seen_at / 1000),
        changed_at = to_timestamp(row.changed_at / 1000), version = row.version
      from unnest($1::uuid[], $2::text[], $3::int2[], $4::float8[], $5::float8[], $6::int8[])
        as row (app_id, user_id, status, last_seen_at, changed_at, version)
      where p.app_id = row.app_id and p.user_id = row.user_id`,
    values: [
      updates.map(({ appId }) => appId),
      updates.map(({ userId }) => userId),
      updates.map(({ status }) => status),
      updates.map(({ lastSeenAt }) => lastSeenAt),
      updates.map(({ changedAt }) => changedAt),
      updates.map(({ version }) => version),
    ],
  });
}

export type SilentGatewayRow = { gateway_id: string; seen_at: number };

/** Gateways whose last report is older than a time. */
export function listSilentGateways(sql: Sql, before: number): Promise<SilentGatewayRow[]> {
  return sql.query<SilentGatewayRow>({
    name: 'list_silent_gateways',
    text: `select gateway_id, seen_at from presence_gateway where seen_at < to_timestamp($1::float8 / 1000)`,
    values: [before],
  });
}

export type HeldUserRow = { app_id: string; user_id: string };

/** Users who are connected to a gateway, at most `limit`. */
export function listHeldBy(sql: Sql, gatewayId: string, limit: number): Promise<HeldUserRow[]> {
  return sql.query<HeldUserRow>({
    name: 'list_held_by_gateway',
    text: `select app_id, user_id from presence_hold where gateway_id = $1 limit $2`,
    values: [gatewayId, limit],
  });
}

/** Deletes a gateway unless it has reported since. */
export async function deleteSilentGateway(
  sql: Sql,
  { gatewayId, seenAt }: { gatewayId: string; seenAt: number },
): Promise<void> {
  await sql.execute({
    name: 'delete_silent_gateway',
    text: `delete from presence_gateway where gateway_id = $1 and seen_at = to_timestamp($2::float8 / 1000)`,
    values: [gatewayId, seenAt],
  });
}

/** Deletes a presence, and that the user is connected. Answers the version of the presence; undefined: there was none. */
export async function deletePresence(
  sql: Sql,
  { appId, userId }: UserKey,
): Promise<(UserKey & { version: number }) | undefined> {
  const [row] = await sql.query<{ version: number }>({
    name: 'delete_presence',
    text: `delete from presence where app_id = $1 and user_id = $2 returning version`,
    values: [appId, userId],
  });
  if (!row) return undefined;
  // Deleted after the presence, in the order of a report, including data of a report for which this waited.
  await sql.execute({
    name: 'delete_holds_of_user',
    text: `delete from presence_hold where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
  return { appId, userId, version: row.version };
}
