import type pg from 'pg';
import { cellNames, type CellPlan } from '../../runtime/config/cell-plan.ts';
import type { Migration } from './files.ts';
import { splitStatements } from './split.ts';

const OTHERWISE = 'alter schema public rename to p00; create schema public;';

/** Fails when the database has tables that processes with this plan would not find, since they would begin with empty ones. */
export async function refuseLoss(client: pg.Client, plan: CellPlan): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'schema_migration' and c.relkind = 'r' order by 1`);
  const known = new Set(plan.kind === 'one' ? ['public'] : cellNames(plan));
  const unknown = rows.map(({ schema }) => schema).filter((schema) => !known.has(schema));
  if (unknown.length === 0) return;
  if (unknown.includes('public'))
    throw new Error(
      `the tables are in the schema public, and PARLEY_CELLS says that there are cells: stop the processes of the service and run "${OTHERWISE}"`,
    );
  throw new Error(`the database has the cells ${unknown.join(', ')}, which PARLEY_CELLS leaves out`);
}

/** Makes the schema of a cell if it is missing, and has the connection work there alone. A database that has it is not written to. */
export async function enterCell(client: pg.Client, name: string, { kind }: CellPlan): Promise<void> {
  const { rows } = await client.query('select where to_regnamespace($1) is not null', [name]);
  if (kind === 'citus') await client.query(`set citus.enable_schema_based_sharding to 'on'`);
  if (rows.length === 0) await client.query(`create schema ${name}`);
  await client.query(`set search_path to ${name}`);
}

/**
 * The statements by which Citus takes a migration, one by one: within a text of several it does not distribute tables. Citus runs no triggers;
 * those of migrations serve processes of a release that knows no cells.
 */
export function statementsForCitus({ text }: Pick<Migration, 'text'>): string[] {
  return splitStatements(text).filter((statement) => {
    const code = statement.replaceAll(/^(\s*--[^\n]*\n)+/g, '').trim();
    return !/^create trigger\b/i.test(code) && !/^create function\b[\s\S]*\breturns trigger\b/i.test(code);
  });
}
