import type pg from 'pg';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { cellNames, type CellPlan } from '../../runtime/config/cell-plan.ts';
import { listMarks } from '../migrate/cell-marks.ts';
import { createServers, listServers, nameOf, withClient, type Server, type Servers } from './servers.ts';

/** Sizes are bytes on disk including indexes, and undefined if a server does not answer. `making`: its tables are not complete. */
export type SurveyedCell = {
  name: string;
  node: string;
  bytes: number | undefined;
  state: 'making' | 'added' | 'used';
};

export type SurveyedNode = {
  name: string;
  isCoordinator: boolean;
  takesCells: boolean;
  isReachable: boolean;
  bytes: number | undefined;
  cellCount: number;
};

export type Survey = { cells: SurveyedCell[]; nodes: SurveyedNode[]; isCoordinatorAway: boolean };

export type SurveyOptions = { url: string; plan: CellPlan; log: Logger };

type Sizes = { database: number; cells: ReadonlyMap<string, number> };

const DATABASE_SIZE = `select pg_database_size(current_database())::float8 as bytes`;

const SCHEMA_SIZES = `
  select n.nspname as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'm') group by n.nspname`;

const SHARD_SIZES = `
  select n.nspname as name, sum(pg_total_relation_size(to_regclass(shard_name(s.logicalrelid, s.shardid))))::float8 as bytes
  from pg_dist_shard s join pg_dist_placement p using (shardid)
  join pg_class c on c.oid = s.logicalrelid join pg_namespace n on n.oid = c.relnamespace
  where p.groupid = $1 and n.nspname ~ '^p[0-9]{2}$' group by n.nspname`;

const PLACEMENTS = `
  select n.nspname as name, p.groupid::int as "group"
  from pg_dist_shard s join pg_dist_placement p using (shardid)
  join pg_class c on c.oid = s.logicalrelid join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'schema_migration' and n.nspname ~ '^p[0-9]{2}$' order by 1`;

/**
 * Returns a survey of the cells: which node each is on, and how large they are. It fails with a ConnectError when no server answers. The
 * nodes of one survey are asked by the next one while the coordinator is away.
 */
export function createSurvey({ url, plan, log }: SurveyOptions): () => Promise<Survey> {
  if (plan.kind !== 'citus') return () => surveyServer(url, plan);
  const cluster = createServers({ url, log });
  return () => surveyCluster(url, cluster);
}

async function surveyServer(url: string, plan: CellPlan): Promise<Survey> {
  return withClient(url, async (client) => {
    const marks = await listMarks(client);
    const names =
      plan.kind === 'one' ? ['public'] : [...new Set([...cellNames(plan), ...marks.keys()])].sort();
    const sizes = await readSizes(client, { text: SCHEMA_SIZES, values: [names] });
    const { hostname, port } = new URL(url);
    const node = `${hostname}:${port || 5432}`;
    const cells = names.map((name) => {
      return { name, node, bytes: sizes.cells.get(name) ?? 0, state: marks.get(name) ?? ('used' as const) };
    });
    const server = { isCoordinator: false, takesCells: true, isReachable: true, cellCount: names.length };
    return { cells, nodes: [{ name: node, bytes: sizes.database, ...server }], isCoordinatorAway: false };
  });
}

async function surveyCluster(url: string, cluster: Servers): Promise<Survey> {
  const { servers, placements } = await cluster.ask(async (client) => ({
    servers: await listServers(client),
    placements: (await client.query<{ name: string; group: number }>(PLACEMENTS)).rows,
  }));
  const marks = await withClient(url, listMarks).catch(() => undefined);
  const sizes = await Promise.all(
    servers.map((server) => sizesAt(cluster.urlOf(server), server.group).catch(() => undefined)),
  );
  const byGroup = new Map(servers.map((server, index) => [server.group, { server, sizes: sizes[index] }]));
  const placed = new Set(placements.map(({ name }) => name));
  const unplaced = [...(marks?.keys() ?? [])].filter((name) => !placed.has(name));
  const cells = placements.map(({ name, group }): SurveyedCell => {
    const at = byGroup.get(group);
    return {
      name,
      node: at ? nameOf(at.server) : '',
      bytes: at?.sizes?.cells.get(name),
      state: marks?.get(name) ?? 'used',
    };
  });
  const begun = unplaced.map((name) => ({ name, node: '', bytes: undefined, state: 'making' as const }));
  const nodes = servers.map((server, index) =>
    nodeOf(server, sizes[index], placements.filter(({ group }) => group === server.group).length),
  );
  return { cells: [...cells, ...begun], nodes, isCoordinatorAway: !marks };
}

function nodeOf(server: Server, sizes: Sizes | undefined, cellCount: number): SurveyedNode {
  return {
    name: nameOf(server),
    isCoordinator: server.group === 0,
    takesCells: server.takesCells,
    isReachable: sizes !== undefined,
    bytes: sizes?.database,
    cellCount,
  };
}

function sizesAt(url: string, group: number): Promise<Sizes> {
  return withClient(url, (client) => readSizes(client, { text: SHARD_SIZES, values: [group] }));
}

async function readSizes(client: pg.Client, query: { text: string; values: unknown[] }): Promise<Sizes> {
  const { rows } = await client.query<{ name: string; bytes: number | null }>(query);
  const { rows: all } = await client.query<{ bytes: number }>(DATABASE_SIZE);
  return {
    database: all[0]?.bytes ?? 0,
    cells: new Map(rows.map(({ name, bytes }) => [name, bytes ?? 0])),
  };
}
