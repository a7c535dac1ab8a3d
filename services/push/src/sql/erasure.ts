import { keepPlaces } from '@parley/kit/durable/gone-items';
import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';

/** A user whose deliveries until a time, in milliseconds, are to be deleted. */
export type Erasure = Leased & { user_id: string; erased_at: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['erased_at'],
  mutable: ['erased_at'],
  order: ['erased_at', 'user_id'],
});

export type NewErasure = { appId: string; userId: string; erasedAt: number };

/** Inserts erasures: from the commit on no earlier push to or from the users is stored. Idempotent. */
export async function insertErasures(sql: Sql, erasures: readonly NewErasure[]): Promise<void> {
  await sql.execute({
    name: 'insert_erasures',
    text: `
      with news as (
        insert into erased_user as known (app_id, user_id, erased_at)
        select app_id, user_id, to_timestamp(max(erased_at) / 1000)
        from unnest($1::uuid[], $2::text[], $3::float8[]) as row (app_id, user_id, erased_at)
        group by app_id, user_id order by app_id, user_id
        on conflict (app_id, user_id) do update set erased_at = excluded.erased_at
        where excluded.erased_at > known.erased_at
        returning app_id, user_id, erased_at
      )
      insert into erasure (app_id, user_id, erased_at) select app_id, user_id, erased_at from news
      on conflict (app_id, user_id) do update set erased_at = excluded.erased_at`,
    values: [
      erasures.map(({ appId }) => appId),
      erasures.map(({ userId }) => userId),
      erasures.map(({ erasedAt }) => erasedAt),
    ],
  });
}

/**
 * Deletes at most `limit` deliveries to a user, or waiting ones with the user's words, that were asked for until the erasure, and
 * what is kept of earlier ones to the user; returns how many. Locks in the order of keys.
 */
export function eraseDeliveries(
  sql: Sql,
  { app_id, user_id, erased_at }: Erasure,
  limit: number,
): Promise<number> {
  return sql.execute({
    name: 'erase_deliveries',
    text: `
      with chosen as (
        select target_id, id from delivery
        where app_id = $1 and (user_id = $2 or (sender_id = $2 and content is not null))
          and created_at <= to_timestamp($3::float8 / 1000)
        order by target_id, id limit $4 for update
      ), deleted as (
        delete from delivery using chosen
        where delivery.app_id = $1 and delivery.target_id = chosen.target_id and delivery.id = chosen.id
        returning delivery.app_id, delivery.user_id, delivery.id
      ), of_others as (select * from deleted where user_id <> $2),
      kept as (${keepPlaces('of_others', { list: 'user_id' })}),
      forgotten as (delete from gone_item where app_id = $1 and list_id = $2)
      select from deleted`,
    values: [app_id, user_id, erased_at, limit],
  });
}

/** Deletes the records of users who were erased before a time. */
export async function forgetErasedBefore(sql: Sql, before: number): Promise<void> {
  await sql.execute({
    text: 'delete from erased_user where erased_at < to_timestamp($1::float8 / 1000)',
    values: [before],
  });
}
