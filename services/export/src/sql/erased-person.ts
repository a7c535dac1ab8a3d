import type { Sql } from '@parley/kit/postgres';

export async function insertErasedPerson(
  sql: Sql,
  { appId, userId, at }: { appId: string; userId: string; at: number },
): Promise<void> {
  await sql.execute({
    name: 'insert_erased_person',
    text: `
      insert into erased_person as e (app_id, user_id, erased_at) values ($1, $2, to_timestamp($3::float8 / 1000))
      on conflict (app_id, user_id) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
    values: [appId, userId, at],
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
