import type { TypeRules } from '@parley/domain/policy';
import type { Sql } from '@parley/kit/postgres';

export type TypeRow = { name: string; rules: TypeRules };

/** The types of an application that are stored, by name: all but an unchanged `default`. */
export function listTypes(sql: Sql, appId: string): Promise<TypeRow[]> {
  return sql.query<TypeRow>({
    name: 'list_types',
    text: 'select name, rules from conversation_type where app_id = $1 order by name',
    values: [appId],
  });
}

/** Types beyond which an application gets no more; the unchanged `default` has no row, and a changed one does not count. */
export const MAX_TYPES = 50;

/** Locks the types of an application, so that they are counted and deleted one after the other. */
export async function lockTypes(sql: Sql, appId: string): Promise<void> {
  await sql.query({
    name: 'lock_types',
    text: "select pg_advisory_xact_lock(hashtextextended('conversation_type ' || current_schema() || $1::text, 0))",
    values: [appId],
  });
}

/** Stores the rules of a type, with a version by which sends from the cache notice the change. `version`: a new uuid. */
export async function upsertType(
  sql: Sql,
  { appId, name, rules, version }: { appId: string; name: string; rules: TypeRules; version: string },
): Promise<void> {
  await sql.execute({
    name: 'upsert_type',
    text: `
      insert into conversation_type as t (app_id, name, rules, version) values ($1, $2, $3::json, $4)
      on conflict (app_id, name) do update set rules = excluded.rules, version = excluded.version
      where t.rules::jsonb <> excluded.rules::jsonb`,
    values: [appId, name, JSON.stringify(rules), version],
  });
}

/** Deletes a type. Conversations that are being created with it keep it until they are committed. */
export async function deleteType(sql: Sql, appId: string, name: string): Promise<void> {
  await sql.execute({
    name: 'delete_type',
    text: 'delete from conversation_type where app_id = $1 and name = $2',
    values: [appId, name],
  });
}

/** Whether a conversation that is not deleted has the type. */
export async function isTypeUsed(sql: Sql, appId: string, name: string): Promise<boolean> {
  const rows = await sql.query({
    name: 'is_type_used',
    text: 'select from conversation where app_id = $1 and type = $2 and deleted_at is null limit 1',
    values: [appId, name],
  });
  return rows.length > 0;
}

/** The rules of a type, which stays until the transaction ends. Undefined: there is no row. */
export async function findType(sql: Sql, appId: string, name: string): Promise<TypeRules | undefined> {
  const [row] = await sql.query<{ rules: TypeRules }>({
    name: 'find_type',
    text: 'select rules from conversation_type where app_id = $1 and name = $2 for share',
    values: [appId, name],
  });
  return row?.rules;
}
