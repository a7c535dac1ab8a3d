import type { Sql } from '@parley/kit/postgres';

/** A user who was erased. `version` 0: recorded by an earlier release, so that the time counts. */
export type ErasedPerson = { userId: string; at: number; version: number };

/** Records erased users; for one who was erased more than once, the latest erasure counts. */
export async function insertErasedPersons(
  sql: Sql,
  appId: string,
  persons: readonly ErasedPerson[],
): Promise<void> {
  if (persons.length === 0) return;
  await sql.execute({
    name: 'insert_erased_persons',
    text: `
      insert into erased_person as e (app_id, user_id, erased_at, version)
      select $1::uuid, user_id, to_timestamp(max(at) / 1000), max(version)
      from unnest($2::text[], $3::float8[], $4::float8[]) as person (user_id, at, version)
      group by user_id order by user_id
      on conflict (app_id, user_id) do update
      set erased_at = greatest(e.erased_at, excluded.erased_at), version = greatest(e.version, excluded.version)`,
    values: [
      appId,
      persons.map(({ userId }) => userId),
      persons.map(({ at }) => at),
      persons.map(({ version }) => version),
    ],
  });
}

/** The erased users of an application, by user id. */
export async function listErasedPersons(
  sql: Sql,
  appId: string,
): Promise<Map<string, Omit<ErasedPerson, 'userId'>>> {
  const rows = await sql.query<{ user_id: string; erased_at: number; version: number }>({
    name: 'list_erased_persons',
    text: 'select user_id, erased_at, version from erased_person where app_id = $1',
    values: [appId],
  });
  return new Map(rows.map(({ user_id, erased_at: at, version }) => [user_id, { at, version }]));
}
