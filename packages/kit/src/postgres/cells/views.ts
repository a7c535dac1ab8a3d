import { Code } from '@connectrpc/connect';
import pg from 'pg';
import type { Query } from '../connection.ts';
import { DatabaseError, MISPLACED } from '../errors.ts';

/** A cell on one node. `shard`: id of the shard whose lock a move takes; `group`: the node's, in the catalogs of Citus. */
export type Gated = { cell: string; shard: string; group: number };

type Table = { name: string; shard: string; columns: string[]; seen: string[] | null };

/** System columns that follow the table's columns in a view, since statements identify rows by them. */
const SYSTEM_COLUMNS = ['ctid', 'xmax'];

/** The schema with the views of a cell on the node that has it: `p07_here`. */
export function viewsSchemaOf(cell: string): string {
  return `${cell}_here`;
}

/** Creates objects only on this server, and makes the catalogs show shards. */
const LOCAL = `
  set citus.enable_ddl_propagation to 'off';
  set citus.enable_schema_based_sharding to 'off';
  set citus.show_shards_for_app_name_prefixes to '*'`;

/** Tables whose shards are on this server, each with its columns and the columns of its view; null: it has no view. */
const TABLES = `
  select c.relname as name, shard_name(s.logicalrelid, s.shardid) as shard,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = here.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = to_regclass(format('%I.%I', $2::text, c.relname)) and a.attnum > 0) as seen
  from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
  join pg_class here on here.oid = to_regclass(shard_name(s.logicalrelid, s.shardid))
  where c.relnamespace = to_regnamespace($1)
  order by c.relname`;

/**
 * Creates, on the node that has a cell, the views through which statements access the shards directly, and the gate function; returns the
 * gate. An existing view with its table's columns is left unchanged.
 */
export async function makeViews(client: pg.Client, gated: Gated): Promise<Query> {
  const schema = viewsSchemaOf(gated.cell);
  const gate = { name: `gate_${gated.shard}`, text: `select ${schema}.gate_${gated.shard}()` };
  await client.query(LOCAL);
  if (await isComplete(client, gated)) return gate;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`views of ${gated.cell}`]);
    await client.query(`create schema if not exists ${schema}`);
    for (const table of await listWithoutView(client, gated)) await client.query(viewOf(schema, table));
    for (const text of await listFunctions(client, gated)) await client.query(text);
    await client.query(gateFunction(schema, gated));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return gate;
}

async function isComplete(client: pg.Client, gated: Gated): Promise<boolean> {
  const missing = [...(await listWithoutView(client, gated)), ...(await listFunctions(client, gated))];
  return missing.length === 0 && (await hasGate(client, viewsSchemaOf(gated.cell), gated));
}

export async function dropViews(client: pg.Client, cell: string): Promise<void> {
  await client.query(LOCAL);
  await client.query(`drop schema if exists ${viewsSchemaOf(cell)} cascade`);
}

/** Statements that create the functions of the cell's schema which are missing in the views' schema. Citus keeps functions on all nodes. */
async function listFunctions(client: pg.Client, { cell }: Gated): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select replace(pg_get_functiondef(f.oid), format(' FUNCTION %I.', $1::text), format(' FUNCTION %I.', $2::text)) as text
     from pg_proc f
     where f.pronamespace = to_regnamespace($1) and f.prokind = 'f' and f.prorettype <> 'trigger'::regtype
       and not exists (select from pg_proc o where o.pronamespace = to_regnamespace($2) and o.proname = f.proname
         and o.prosrc = f.prosrc)`,
    [cell, viewsSchemaOf(cell)],
  );
  return rows.map(({ text }) => text);
}

async function listWithoutView(client: pg.Client, { cell }: Gated): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES, [cell, viewsSchemaOf(cell)]);
  if (rows.length === 0)
    throw new DatabaseError(`the tables of ${cell} are not on this server`, Code.Unavailable);
  return rows.filter(({ columns, seen }) => String([...columns, ...SYSTEM_COLUMNS]) !== String(seen));
}

function viewOf(schema: string, { name, shard }: Table): string {
  const view = `${schema}.${pg.escapeIdentifier(name)}`;
  return `drop view if exists ${view}; create view ${view} as select *, ${SYSTEM_COLUMNS.join(', ')} from ${shard}`;
}

async function hasGate(client: pg.Client, schema: string, { shard }: Gated): Promise<boolean> {
  const { rows } = await client.query('select where to_regproc($1) is not null', [`${schema}.gate_${shard}`]);
  return rows.length > 0;
}

/**
 * Takes a lock that a move takes exclusively before its final catch-up, and then checks whether the shard is still here. Each of the two
 * statements sees everything committed when it begins, as long as the transaction is `read committed`; a snapshot transaction only reads,
 * and reads the state at its beginning.
 */
function gateFunction(schema: string, { shard, group }: Gated): string {
  return `
    create or replace function ${schema}.gate_${shard}() returns void language plpgsql as $gate$
    begin
      perform lock_shard_metadata(5, array[${shard}]::bigint[]);
      if not exists (select from pg_catalog.pg_dist_placement where shardid = ${shard} and groupid = ${group}) then
        raise exception 'the cell is on another server' using errcode = '${MISPLACED}';
      end if;
    end $gate$`;
}
