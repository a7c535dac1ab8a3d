import type pg from 'pg';
import { cellNames, type CellPlan } from '../../runtime/config/cell-plan.ts';
import { listMarks, setMark } from './cell-marks.ts';
import type { Migration } from './files.ts';
import { splitStatements } from './split.ts';

const OTHERWISE = 'alter schema public rename to p00; create schema public;';

/** Fails if the database has tables that processes with this plan would not find, since they would start with empty ones. */
export async function refuseLoss(client: pg.Client, plan: CellPlan): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'schema_migration' and c.relkind = 'r' order by 1`);
  // A cell created ahead of time has no applications.
  const ahead = plan.kind === 'one' ? [] : (await listMarks(client)).keys();
  const known = new Set([...(plan.kind === 'one' ? ['public'] : cellNames(plan)), ...ahead]);
  const unknown = rows.map(({ schema }) => schema).filter((schema) => !known.has(schema));
  if (unknown.length === 0) return;
  if (unknown.includes('public'))
    throw new Error(
      `the tables are in the schema public, and PARLEY_CELLS says that there are cells: stop the processes of the service and run "${OTHERWISE}"`,
    );
  throw new Error(`the database has the cells ${unknown.join(', ')}, which PARLEY_CELLS leaves out`);
}

/**
 * Creates the schema of a cell if it is missing, and makes the connection work only there. An existing schema causes no writes. `isAhead`:
 * the cell is created before processes use it.
 */
export async function enterCell(
  client: pg.Client,
  name: string,
  { kind, isAhead }: { kind: CellPlan['kind']; isAhead: boolean },
): Promise<void> {
  const { rows } = await client.query('select where to_regnamespace($1) is not null', [name]);
  if (kind === 'citus') await client.query(`set citus.enable_schema_based_sharding to 'on'`);
  if (rows.length === 0) await createSchema(client, name, isAhead);
  await client.query(`set search_path to ${name}`);
}

// The mark is created with the schema: processes that do not know the cell refuse to start when an unmarked one exists.
async function createSchema(client: pg.Client, name: string, isAhead: boolean): Promise<void> {
  if (!isAhead) return void (await client.query(`create schema ${name}`));
  await client.query('begin');
  try {
    await client.query(`create schema ${name}`);
    await setMark(client, name, 'making');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Records that a cell has all its tables: it either waits to be used, or is used from now on. */
export async function markComplete(client: pg.Client, name: string, isAhead: boolean): Promise<void> {
  const mark = (await listMarks(client)).get(name);
  if (isAhead && mark === 'making') await setMark(client, name, 'added');
  if (!isAhead && mark !== undefined) await setMark(client, name, undefined);
}

/**
 * The statements of a migration for Citus, one by one: it does not distribute tables created in a text of several statements. Citus runs no
 * triggers; those in migrations serve processes of a release without cells.
 */
export function statementsForCitus({ text }: Pick<Migration, 'text'>): string[] {
  return splitStatements(text).filter((statement) => {
    const code = statement.replaceAll(/^(\s*--[^\n]*\n)+/g, '').trim();
    return !/^create trigger\b/i.test(code) && !/^create function\b[\s\S]*\breturns trigger\b/i.test(code);
  });
}
