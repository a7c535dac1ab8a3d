import pg from 'pg';
import { toConnectError } from '../errors.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { MoveRefusal } from './refusal.ts';

/** A server of the cluster, from the catalogs of Citus. `group`: the id by which placements refer to it. */
export type Server = { host: string; port: number; group: number; takesCells: boolean };

/** The coordinator and the nodes; all of them have the catalogs of Citus. */
export type Servers = {
  /** Runs `work` at the coordinator, or at one node after the other while the coordinator is unreachable. */
  ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The connection address of a server in the catalogs. */
  urlOf(server: Pick<Server, 'host' | 'port'>): string;
};

const CONNECT_MS = 3_000;
const ASK_MS = 10_000;

/** User, password, database and TLS are taken from the coordinator's address. */
export function createServers({ url, log }: { url: string; log: Logger }): Servers {
  let nodes: string[] = [];
  const urlOf = (server: Pick<Server, 'host' | 'port'>): string => addressOf(url, server);
  return {
    urlOf,
    async ask(work) {
      const asked = [...new Set([url, ...nodes])];
      for (const [index, address] of asked.entries()) {
        try {
          return await withClient(address, async (client) => {
            nodes = (await listServers(client)).map(urlOf);
            return work(client);
          });
        } catch (error) {
          if (index === asked.length - 1) throw error;
          log.warn({ error }, 'a server of the cluster does not answer about cells; asking another');
        }
      }
      throw new Error('there is no server to ask');
    },
  };
}

/** The primaries, including the coordinator, by their groups. */
export async function listServers(client: pg.Client): Promise<Server[]> {
  const { rows } = await client.query<Server>(`
    select nodename as host, nodeport as port, groupid::int as "group", shouldhaveshards as "takesCells"
    from pg_dist_node where noderole::text = 'primary' and isactive order by groupid`);
  return rows;
}

/** The name that operators use: `node-1:5432`. */
export function nameOf({ host, port }: Pick<Server, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function addressOf(url: string, { host, port }: Pick<Server, 'host' | 'port'>): string {
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  return address.href;
}

/** Rejects with a ConnectError, Unavailable if the server is unreachable, or with a MoveRefusal of `work`. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  settings: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'parley-cells',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: ASK_MS,
    query_timeout: ASK_MS,
    ...settings,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw error instanceof MoveRefusal ? error : toConnectError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
