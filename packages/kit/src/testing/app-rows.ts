import type { Database } from '../postgres/index.ts';

/** Values by type for columns that have no default and refuse null. */
const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'x' || gen_random_uuid()`,
  bytea: `sha256(gen_random_uuid()::text::bytea)`,
  smallint: '2',
  integer: '2',
  bigint: '2',
  'double precision': '2',
  boolean: 'false',
  'timestamp with time zone': 'now()',
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
  'bigint[]': `'{}'`,
  int8multirange: `'{}'`,
  json: `'{}'`,
  jsonb: `'{}'`,
};

/** The tables of removals themselves. */
const KEPT = ['app_tombstone', 'app_removal'];

type Column = { table: string; column: string; type: string; is_needed: boolean };

/** How the rows of an application are found: by its id, or by the subject of an event. */
type Table = { name: string; needed: Column[]; key: 'app_id' | 'subject' | undefined };

/** Every table of the schema `public`; partitions belong to their table. */
async function listTables(db: Database): Promise<Table[]> {
  const columns = await db.query<Column>({
    text: `
      select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
        a.attname = 'app_id' or (a.attnotnull and not a.atthasdef and a.attidentity = '') as is_needed
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by 1, a.attnum`,
  });
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, own]) => {
    const has = (key: string) => own.some(({ column }) => column === key);
    const key = has('app_id')
      ? 'app_id'
      : name.endsWith('dead_letter') && has('subject')
        ? 'subject'
        : undefined;
    return { name, key, needed: own.filter(({ is_needed }) => is_needed) };
  });
}

/** Names of the tables whose rows do not say which application they belong to. */
export async function listSharedTables(db: Database): Promise<string[]> {
  return (await listTables(db)).filter(({ key }) => key === undefined).map(({ name }) => name);
}

/** Gives every table that has rows of applications, those of later migrations too, a row of this one. */
export async function seedEveryTable(
  db: Database,
  appId: string,
  except: readonly string[] = [],
): Promise<void> {
  for (const { name, key, needed } of await listTables(db)) {
    if (key === undefined || KEPT.includes(name) || except.includes(name)) continue;
    const values = needed.map(({ column, type }) => {
      if (column === 'app_id') return '$1::uuid';
      return column === 'subject'
        ? `'event.' || $1::uuid || '.some.kind'`
        : (VALUES[type] ?? `unknown type ${type}`);
    });
    const columns = needed.map(({ column }) => column).join(', ');
    await db.execute({
      text: `insert into ${name} (${columns}) values (${values.join(', ')})`,
      values: [appId],
    });
  }
}

/** How many rows of an application each table has; tables without any are left out. */
export async function countAppRows(db: Database, appId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, key } of await listTables(db)) {
    if (key === undefined) continue;
    const where = key === 'app_id' ? 'app_id = $1::uuid' : `split_part(subject, '.', 2) = $1::uuid::text`;
    const rows = await db.execute({ text: `select from ${name} where ${where}`, values: [appId] });
    if (rows > 0) counts[name] = rows;
  }
  return counts;
}

/** Names of all tables that have rows of applications, but those of removals. */
export async function listAppTables(db: Database): Promise<string[]> {
  const tables = await listTables(db);
  return tables.filter(({ name, key }) => key !== undefined && !KEPT.includes(name)).map(({ name }) => name);
}
