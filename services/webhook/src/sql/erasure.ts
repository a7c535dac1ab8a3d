import { keepPlaces } from '@parley/kit/durable/gone-items';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

/** A user to erase: notices about incarnations before `version`. */
export type Erasure = Leased & { user_id: string; version: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['version'],
  mutable: ['version'],
  order: ['erased_at', 'user_id'],
});

export type NewErasure = { appId: string; userId: string; version: number };

/** Inserts erasures: from the commit on no notice about an earlier incarnation of the users is sent. Idempotent. */
export async function insertErasures(sql: Sql, erasures: readonly NewErasure[]): Promise<void> {
  if (erasures.length === 0) return;
  await sql.execute({
    name: 'insert_erasures',
    text: `
      with news as (
        insert into erased_user as known (app_id, user_id, version)
        select app_id, user_id, max(version) from unnest($1::uuid[], $2::text[], $3::float8[]) as row (app_id, user_id, version)
        group by app_id, user_id order by app_id, user_id
        on conflict (app_id, user_id) do update set version = excluded.version
        where excluded.version > known.version
        returning app_id, user_id, version
      )
      insert into erasure (app_id, user_id, version) select app_id, user_id, version from news
      on conflict (app_id, user_id) do update set version = excluded.version`,
    values: [
      erasures.map(({ appId }) => appId),
      erasures.map(({ userId }) => userId),
      erasures.map(({ version }) => version),
    ],
  });
}

/** SQL: the erasure that covers the notice with the given alias, if there is one. */
export function erasureOfNotice(notice: string): string {
  return `
          select from erased_user e
          where e.app_id = ${notice}.app_id and e.user_id = ${notice}.subject_user_id
            and e.version > coalesce(${notice}.subject_incarnation, 0)`;
}

/** Deletes at most `limit` queued events about earlier incarnations of a user; returns how many. */
export function eraseExpansions(
  sql: Sql,
  { app_id, user_id, version }: Erasure,
  limit: number,
): Promise<number> {
  return sql.execute({
    name: 'erase_expansions',
    text: `
      delete from expansion where app_id = $1 and event_id = any (array(
        select event_id from expansion
        where app_id = $1 and subject_user_id = $2 and coalesce(subject_incarnation, 0) < $3
        order by event_id limit $4 for update))`,
    values: [app_id, user_id, version, limit],
  });
}

export type Subject = { appId: string; userId: string; incarnation: number };

/** Indexes of the subjects who are erased: late notices about them are not stored. */
export async function listErasedSubjects(
  sql: Sql,
  subjects: readonly (Subject | undefined)[],
): Promise<Set<number>> {
  if (subjects.every((subject) => subject === undefined)) return new Set();
  const rows = await sql.query<{ item: number }>({
    name: 'list_erased_subjects',
    text: `
      select subject.number::int4 - 1 as item
      from unnest($1::uuid[], $2::text[], $3::float8[]) with ordinality as subject (app_id, user_id, incarnation, number)
      join ${lookUp('erased_user', 'e', 'e.app_id = subject.app_id and e.user_id = subject.user_id')}
        on e.version > subject.incarnation`,
    values: [
      subjects.map((subject) => subject?.appId ?? null),
      subjects.map((subject) => subject?.userId ?? null),
      subjects.map((subject) => subject?.incarnation ?? 0),
    ],
  });
  return new Set(rows.map(({ item }) => item));
}

/** Ids of at most `limit` notices about earlier incarnations of a user. */
export async function listNoticesToErase(
  sql: Sql,
  { app_id, user_id, version }: Erasure,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    name: 'list_notices_to_erase',
    text: `
      select id from notice
      where app_id = $1 and subject_user_id = $2 and coalesce(subject_incarnation, 0) < $3 limit $4`,
    values: [app_id, user_id, version, limit],
  });
  return rows.map(({ id }) => id);
}

/** Deletes notices with their deliveries, which are locked first and in the order of their keys, as everywhere. */
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
      with deleted as (
        delete from notice where app_id = $1 and id = any ($2::uuid[]) returning id
      ), deleted_delivery as (
        delete from delivery d using deleted where d.app_id = $1 and d.notice_id = deleted.id
        returning d.app_id, d.webhook_id, d.id, d.status
      ), kept as (${keepPlaces('deleted_delivery', { list: 'webhook_id::text' })}
      ), moved as (select app_id, webhook_id, status, -1 as delta from deleted_delivery)
      ${INSERT_COUNT_DELTAS}`,
    values: [appId, ids],
  });
}
