import type { Sql } from '@parley/kit/postgres';
import type { UserKey } from './identity.ts';

/** The deletion of an identity: the user id, and the version that it has with it. */
export type Departure = { appId: string; goneUserId: string; version: number };

/** Records users who must be told of a departure; existing records are kept. */
export async function insertDepartures(
  sql: Sql,
  { appId, goneUserId, version, at, userIds }: Departure & { at: number; userIds: readonly string[] },
): Promise<void> {
  if (userIds.length === 0) return;
  await sql.execute({
    name: 'insert_departures',
    text: `
      insert into departure (app_id, user_id, gone_user_id, version, at)
      select $1::uuid, user_id, $2::text, $3::int8, to_timestamp($4::float8 / 1000)
      from unnest($5::text[]) as follower (user_id) order by user_id
      on conflict do nothing`,
    values: [appId, goneUserId, version, at, userIds],
  });
}

/** Users who must be told of a departure, by user id, after a given one. */
export async function listWhoMustHear(
  sql: Sql,
  { appId, goneUserId, version, after, limit }: Departure & { after: string; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_who_must_hear',
    text: `
      select user_id from departure
      where app_id = $1 and gone_user_id = $2 and version = $3 and user_id > $4
      order by user_id limit $5`,
    values: [appId, goneUserId, version, after, limit],
  });
  return rows.map((row) => row.user_id);
}

export type DepartureRow = { gone_user_id: string; version: number; at: number };

/** Departures since a time of which a user must be told, after a given one; by user id and version. */
export function listDepartures(
  sql: Sql,
  query: UserKey & { from: number; after: { goneUserId: string; version: number }; limit: number },
): Promise<DepartureRow[]> {
  return sql.query<DepartureRow>({
    name: 'list_departures',
    text: `
      select gone_user_id, version, at from departure
      where app_id = $1 and user_id = $2 and at >= to_timestamp($3::float8 / 1000)
        and (gone_user_id, version) > ($4, $5::int8)
      order by gone_user_id, version limit $6`,
    values: [query.appId, query.userId, query.from, query.after.goneUserId, query.after.version, query.limit],
  });
}

/** Deletes the departures of which an erased user had to be told. */
export async function deleteDeparturesFor(sql: Sql, { appId, userId }: UserKey): Promise<void> {
  await sql.execute({
    text: 'delete from departure where app_id = $1 and user_id = $2',
    values: [appId, userId],
  });
}

/** Deletes at most `limit` departures before a time; returns how many. */
export function deleteDeparturesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from departure where (app_id, user_id, gone_user_id, version, ctid) in (
        select app_id, user_id, gone_user_id, version, ctid from departure
        where at < to_timestamp($1::float8 / 1000) limit $2)`,
    values: [time, limit],
  });
}
