import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { REPOSITORY } from '@parley/stack/config';
import { formatRows, parseRows } from './copy-text.ts';

/** Properties of a database beside its rows: `migration` is the number of the last one. */
type Described = { migration: number; sequences: Record<string, string> };

const DESCRIPTION = 'schema.json';
/** Tables whose rows belong to one cluster, one process or one moment. */
const LEFT_OUT = [
  ...['schema_migration', 'outbox', 'revocation', 'revocation_horizon', 'used_nonce'],
  ...['presence_gateway', 'presence_hold', 'worker'],
];
/** Values stay the text that Postgres writes. */
const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Writes the rows of a database into a folder: a file for each table that has rows, which begins with its columns. */
export async function dumpDatabase(url: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await withClient(url, async (client) => {
    for (const [table, columns] of await listTables(client)) {
      const text = `select ${columns.join(', ')} from ${table} as r order by r::text collate "C"`;
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
      if (rows.length > 0) writeFileSync(path.join(folder, `${table}.copy`), formatRows([columns, ...rows]));
    }
    const described = await describeDatabase(client);
    writeFileSync(path.join(folder, DESCRIPTION), `${JSON.stringify(described, undefined, 2)}\n`);
  });
}

async function describeDatabase(client: pg.Client): Promise<Described> {
  const last = await client.query<{ version: string }>(
    'select max(version) as version from schema_migration',
  );
  const { rows } = await client.query<{ sequencename: string; last_value: string | null }>(
    `select sequencename, last_value from pg_sequences where schemaname = 'public'`,
  );
  const used = rows.flatMap(({ sequencename, last_value }) =>
    last_value === null ? [] : [[sequencename, last_value]],
  );
  return {
    migration: Number(last.rows[0]?.version),
    sequences: Object.fromEntries(used) as Record<string, string>,
  };
}

async function listTables(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all ($1)
    order by c.relname, a.attnum`,
    [LEFT_OUT],
  );
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, own]) => [
      table,
      own.map(({ column }) => column),
    ]),
  );
}

/**
 * Makes a database with the schema that the rows of a folder were written from, by this checkout's migrations up to that one,
 * and fills it. `server` is the address of any database of the server.
 */
export async function restoreDatabase(
  server: string,
  { service, folder }: { service: string; folder: string },
): Promise<void> {
  const name = `parley_${service}`;
  await withClient(server, (client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const described = JSON.parse(readFileSync(path.join(folder, DESCRIPTION), 'utf8')) as Described;
  await withClient(url.href, async (client) => {
    await migrateTo(client, service, described.migration);
    await client.query('set session_replication_role = replica');
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.copy')))
      await fill(client, path.basename(file, '.copy'), readFileSync(path.join(folder, file), 'utf8'));
    for (const [sequence, value] of Object.entries(described.sequences))
      await client.query('select setval($1::text::regclass, $2::text::bigint)', [sequence, value]);
  });
}

/** Migrates as the service does, up to the given migration. */
async function migrateTo(client: pg.Client, service: string, last: number): Promise<void> {
  const migrations = path.join(REPOSITORY, 'services', service, 'migrations');
  await client.query(
    'create table schema_migration (version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default clock_timestamp())',
  );
  for (const file of readdirSync(migrations).sort()) {
    const version = Number(file.slice(0, 4));
    if (version > last) return;
    const text = readFileSync(path.join(migrations, file), 'utf8');
    await client.query(text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const values = [version, file.slice(5, -'.sql'.length), sha256];
    await client.query('insert into schema_migration (version, name, sha256) values ($1, $2, $3)', values);
  }
}

/** Rows that the migrations made give way to those of the file. */
async function fill(client: pg.Client, table: string, text: string): Promise<void> {
  const [columns = [], ...rows] = parseRows(text);
  const places = columns.map((_, at) => `$${at + 1}`).join(', ');
  await client.query(`delete from ${table}`);
  for (const row of rows)
    await client.query(`insert into ${table} (${columns.join(', ')}) values (${places})`, [...row]);
}
