import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { CellPlacement, Place } from './place.ts';
import { createServers, withClient } from './servers.ts';
import { dropViews, makeViews, viewsSchemaOf, type Gated } from './views.ts';

/** The Citus servers as the processes of a service use them. Everything that depends on tables and functions of Citus is in this folder. */
export type Cluster = {
  placementOf(cell: string): CellPlacement;
  /** Recreates the views of a cell after its tables changed, and includes new tables in moves. */
  settleTables(cell: string): Promise<void>;
  /** Runs DDL; if a view of the cell blocks it, removes the views and runs it again. They are recreated when they are needed next. */
  withoutViews(cell: string, run: () => Promise<void>): Promise<void>;
};

/** Dependent objects still exist; or an unsupported feature, such as changing the type of a column that a view uses. */
const VIEW_STANDS_AGAINST = new Set(['2BP01', '0A000']);

/** `url`: the coordinator's; the nodes accept the same user, password and database. */
export type ClusterOptions = { url: string; log: Logger };

/** Some nodes see a move a moment after it was committed. Milliseconds. */
const PAUSE_MS = 50;

/** A table that every cell has and no migration drops. Its shard moves together with the cell's others. */
const MARK_TABLE = 'schema_migration';

const LOCATE = `
  select s.shardid::text as shard, n.nodename as host, n.nodeport as port, p.groupid::int as "group"
  from pg_dist_shard s
  join pg_dist_placement p on p.shardid = s.shardid
  left join pg_dist_node n on n.groupid = p.groupid and n.noderole::text = 'primary' and n.isactive
  where s.logicalrelid = to_regclass($1)`;

type Located = { shard: string; group: number } & (
  { host: string; port: number } | { host: null; port: null }
);

export function createCluster(options: ClusterOptions): Cluster {
  const { url, log } = options;
  const servers = createServers(options);

  function locate(cell: string): Promise<{ node: string; gated: Gated }> {
    return servers.ask(async (client) => {
      const { rows } = await client.query<Located>(LOCATE, [`${cell}.${MARK_TABLE}`]);
      const [found] = rows;
      if (!found) throw new Error(`Citus has no cell ${cell}: run the migration`);
      const node = found.host === null ? url : servers.urlOf(found);
      return { node, gated: { cell, shard: found.shard, group: found.group } };
    });
  }

  async function settle(cell: string): Promise<Place> {
    const { node, gated } = await locate(cell);
    const gate = await withClient(node, (client) => makeViews(client, gated));
    log.info({ cell, node: new URL(node).host }, 'found the server of a cell');
    return { url: node, schema: viewsSchemaOf(cell), gate };
  }

  async function find(cell: string): Promise<Place> {
    try {
      return await settle(cell);
    } catch (error) {
      // The cell's tables were moved away before its views were made.
      log.warn({ error, cell }, 'failed to settle at the server of a cell; will retry once');
      await delay(PAUSE_MS);
      return settle(cell);
    }
  }

  return {
    placementOf: (cell) => rememberPlace(() => find(cell)),
    async settleTables(cell) {
      await withClient(url, (client) => identifyRows(client, cell));
      const { node, gated } = await locate(cell);
      await withClient(node, (client) => makeViews(client, gated));
    },
    async withoutViews(cell, run) {
      try {
        await run();
      } catch (error) {
        if (!VIEW_STANDS_AGAINST.has((error as { code?: string }).code ?? '')) throw error;
        const { node } = await locate(cell);
        await withClient(node, (client) => dropViews(client, cell));
        await run();
      }
    },
  };
}

/** Caches a place until it is forgotten. */
function rememberPlace(find: () => Promise<Place>): CellPlacement {
  type Known = { finding: Promise<Place>; place?: Place };
  let known: Known | undefined;

  function look(): Known {
    const entry: Known = { finding: find() };
    entry.finding.then(
      (place) => void (entry.place = place),
      () => {
        if (known === entry) known = undefined;
      },
    );
    return entry;
  }

  return {
    find: () => (known ??= look()).finding,
    forget(place) {
      if (known?.place === place) known = undefined;
    },
  };
}

/**
 * Gives the tables and partitions of a cell without a key a replica identity, which the logical replication of Citus needs to move them.
 */
export async function identifyRows(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select c.oid::regclass::text as table from pg_class c
     where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and c.relreplident = 'd'
       and not exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary) order by 1`,
    [cell],
  );
  for (const { table } of rows) await client.query(`alter table ${table} replica identity full`);
}
