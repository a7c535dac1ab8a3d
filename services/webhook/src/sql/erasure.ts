import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/work-queue';
import { insertMoved } from './delivery-count.ts';

export type Erasure = Leased & { user_id: string; erased_at: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['erased_at'],
  order: ['erased_at', 'user_id'],
});

/** `at` is when the erasure happened by the clock of identity. */
export type NewErasure = { appId: string; userId: string; at: number };

/**
 * Fixes up to when notices are deleted: until the erasure, and at least all that are stored by now, for events have the
 * times of several clocks. What a user does after a new login is not among them.
 */
export async function insertErasures(sql: Sql, erasures: readonly NewErasure[]): Promise<void> {
  if (erasures.length === 0) return;
  await sql.execute({
    name: 'insert_erasures',
    text: `
      insert into erasure (app_id, user_id, erased_at)
      select app_id, user_id, greatest(to_timestamp(max(at) / 1000), (
        select n.event_at from notice n where n.app_id = row.app_id and n.subject_user_id = row.user_id
        order by n.app_id desc, n.subject_user_id desc, n.event_at desc limit 1), (
        select x.event_at from expansion x where x.app_id = row.app_id and x.subject_user_id = row.user_id
        order by x.app_id desc, x.subject_user_id desc, x.event_at desc limit 1))
      from unnest($1::uuid[], $2::text[], $3::float8[]) as row (app_id, user_id, at)
      group by app_id, user_id order by app_id, user_id
      on conflict (app_id, user_id) do update set erased_at = greatest(erasure.erased_at, excluded.erased_at)`,
    values: [
      erasures.map(({ appId }) => appId),
      erasures.map(({ userId }) => userId),
      erasures.map(({ at }) => at),
    ],
  });
}

/** SQL: the erasure that the notice of that alias is to be deleted for, if there is one. */
export function erasureOf(notice: string): string {
  return `
          select from erasure e
          where e.app_id = ${notice}.app_id and e.user_id = ${notice}.subject_user_id
            and e.erased_at >= ${notice}.event_at`;
}

/** Deletes at most so many events about a user from before the erasure that notices are yet to be made of; says how many. */
export function eraseExpansions(
  sql: Sql,
  { app_id, user_id, erased_at }: Erasure,
  limit: number,
): Promise<number> {
  return sql.execute({
    name: 'erase_expansions',
    text: `
      delete from expansion where app_id = $1 and event_id = any (array(
        select event_id from expansion
        where app_id = $1 and subject_user_id = $2 and event_at <= to_timestamp($3::float8 / 1000)
        order by event_id limit $4 for update))`,
    values: [app_id, user_id, erased_at, limit],
  });
}

/** At most so many notices about a user from before the erasure. */
export async function listNoticesToErase(
  sql: Sql,
  { app_id, user_id, erased_at }: Erasure,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    name: 'list_notices_to_erase',
    text: `
      select id from notice
      where app_id = $1 and subject_user_id = $2 and event_at <= to_timestamp($3::float8 / 1000)
      limit $4`,
    values: [app_id, user_id, erased_at, limit],
  });
  return rows.map(({ id }) => id);
}

/** Deletes notices with their deliveries: these are locked in the order of their keys and before notices, as elsewhere. */
export async function eraseNotices(sql: Sql, appId: string, ids: readonly string[]): Promise<void> {
  await sql.execute({
    name: 'lock_deliveries_of_notices',
    text: `
      select from unnest($2::uuid[]) as notice (id)
      join delivery d on d.app_id = $1 and d.notice_id = notice.id
      order by d.app_id, d.webhook_id, d.id for update of d`,
    values: [appId, ids],
  });
  await sql.execute({
    name: 'erase_notices',
    text: `
      with gone as (
        delete from notice where app_id = $1 and id = any ($2::uuid[]) returning id
      ), dropped as (
        delete from delivery d using gone where d.app_id = $1 and d.notice_id = gone.id
        returning d.app_id, d.webhook_id, d.status
      ), moved as (select app_id, webhook_id, status, -1 as delta from dropped)
      ${insertMoved}`,
    values: [appId, ids],
  });
}
