import type { Sql } from '../postgres/index.ts';

/** The rows of an application in each table that has an `app_id`, by table; tables without any are left out. */
export async function countAppRows(sql: Sql, appId: string): Promise<Record<string, number>> {
  const tables = await sql.query<{ table_name: string }>({
    text: `
      select c.table_name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = current_schema() and c.column_name = 'app_id' and t.table_type = 'BASE TABLE'
      order by 1`,
  });
  const counts: Record<string, number> = {};
  for (const { table_name: table } of tables) {
    const count = await sql.execute({ text: `select from "${table}" where app_id = $1`, values: [appId] });
    if (count > 0) counts[table] = count;
  }
  return counts;
}
