import type { Sql } from '@parley/kit/postgres';

/** For a user who was erased more than once, the latest time counts. */
export async function insertErasedPersons(
  sql: Sql,
  appId: string,
  persons: readonly { userId: string; at: number }[],
): Promise<void> {
  if (persons.length === 0) return;
  await sql.execute({
    name: 'insert_erased_persons',
    text: `
      insert into erased_person as e (app_id, user_id, erased_at)
      select $1::uuid, user_id, to_timestamp(max(at) / 1000)
      from unnest($2::text[], $3::float8[]) as person (user_id, at) group by user_id order by user_id
      on conflict (app_id, user_id) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
    values: [appId, persons.map(({ userId }) => userId), persons.map(({ at }) => at)],
  });
}

/** When each was erased, by user id. */
export async function listErasedPersons(sql: Sql, appId: string): Promise<Map<string, number>> {
  const rows = await sql.query<{ user_id: string; erased_at: number }>({
    name: 'list_erased_persons',
    text: 'select user_id, erased_at from erased_person where app_id = $1',
    values: [appId],
  });
  return new Map(rows.map(({ user_id, erased_at }) => [user_id, erased_at]));
}
