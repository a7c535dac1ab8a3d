import { randomBytes } from 'node:crypto';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import { column } from '../statement.ts';

/**
 * SQL condition: another service awaits the events of an application. It belongs in a statement that follows the first lock
 * of its transaction: a registration waits for the transactions that cannot see it.
 */
export function isAwaited(appId: string): string {
  return `exists (select from event_interest interest where interest.app_id in (${appId}, '${NIL_UUID}'))`;
}

/** Lists those of the applications whose events another service awaits. */
export async function listAwaitedApps(sql: Sql, appIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ app_id: string }>({
    name: 'list_awaited_apps',
    text: `select app_id from unnest($1::uuid[]) as app (app_id) where ${isAwaited('app.app_id')}`,
    values: [appIds],
  });
  return rows.map(({ app_id }) => app_id);
}

export type InterestKey = { appId: string; consumer: string };

export type Registration = {
  /** Time since which events are yet to be published from the change log, as Postgres writes it, and in milliseconds; null: none are. */
  fill_since: string | null;
  fill_since_ms: number | null;
};

/**
 * Registers an interest. The first registration has events to publish since then, unless the consumer gets the events of all
 * applications still.
 */
export async function upsertInterest(sql: Sql, key: InterestKey, since: number): Promise<Registration> {
  const [row] = await sql.query<Registration>({
    name: 'upsert_interest',
    text: `
      insert into event_interest (app_id, consumer, version, fill_since)
      select $1, $2, $4::text::xid8, case when not exists (
        select from event_interest where app_id = '${NIL_UUID}' and consumer = $2) then to_timestamp($3::float8 / 1000) end
      on conflict (app_id, consumer) do update set version = excluded.version,
        fill_since = case when event_interest.fill_since is not null
          then least(event_interest.fill_since, to_timestamp($3::float8 / 1000)) end
      returning fill_since::text, (extract(epoch from fill_since) * 1000)::float8 as fill_since_ms`,
    values: [key.appId, key.consumer, since, newVersion()],
  });
  return row!;
}

/** Random, since the ids of transactions of several servers may be equal. */
function newVersion(): string {
  return String(randomBytes(8).readBigUInt64BE() >> 1n);
}

/** A transaction id, which is higher than those of all transactions that have one now. */
export async function takeTransactionId(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ id: string }>({
    name: 'take_transaction_id',
    text: 'select pg_current_xact_id()::text as id',
  });
  return row!.id;
}

/** Whether every transaction with a lower id has ended. */
export async function areEarlierTransactionsOver(sql: Sql, id: string): Promise<boolean> {
  const [row] = await sql.query<{ over: boolean }>({
    name: 'are_earlier_transactions_over',
    text: 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over',
    values: [id],
  });
  return row?.over === true;
}

/** Records that the events were published; has no effect if a later registration needs earlier ones. */
export async function setFilled(sql: Sql, key: InterestKey, fillSince: string): Promise<void> {
  await sql.execute({
    name: 'set_interest_filled',
    text: `
      update event_interest set fill_since = null
      where app_id = $1 and consumer = $2 and fill_since = $3::timestamptz`,
    values: [key.appId, key.consumer, fillSince],
  });
}

export type InterestRow = { app_id: string; version: string; is_incomplete: boolean };

/** The interests of a consumer by application, after one. */
export function listInterests(
  sql: Sql,
  { consumer, after, limit }: { consumer: string; after: string | null; limit: number },
): Promise<InterestRow[]> {
  return sql.query<InterestRow>({
    name: 'list_interests',
    text: `
      select app_id, version::text, fill_since is not null as is_incomplete from event_interest
      where consumer = $1 and ($2::uuid is null or app_id > $2) order by app_id limit $3`,
    values: [consumer, after, limit],
  });
}

/** Removes interests that were not registered again since. */
export async function deleteInterests(
  sql: Sql,
  consumer: string,
  interests: readonly { appId: string; version: string }[],
): Promise<void> {
  await sql.execute({
    name: 'delete_interests',
    text: `
      delete from event_interest interest using unnest($2::uuid[], $3::text[]) as gone (app_id, version)
      where interest.app_id = gone.app_id and interest.consumer = $1 and interest.version = gone.version::xid8`,
    values: [consumer, column(interests, 'appId'), column(interests, 'version')],
  });
}
