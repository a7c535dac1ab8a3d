import pg from 'pg';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Found } from './cells/place.ts';
import { watchReplication, type Query, type Source } from './connection.ts';
import type { DatabaseOptions } from './index.ts';
import { createDirectWriter, type DirectWriter } from './direct-writer.ts';
import { createLocks, type Locks } from './locks.ts';
import { observeConnections, observePool, type PoolCounts, type PoolObserver } from './observer.ts';
import { createReadOnlyWatch } from './read-only.ts';
import { VALUE_TYPES } from './values.ts';

/** Server and schema of a pool's connections, and the first statement of their transactions. */
export type PoolPlace = { url: string; schema: string | undefined; gate: Query | undefined };

/** The pool of connections to one server, and its locks. */
export type OpenPool = {
  source: Source;
  locks: Locks;
  place: PoolPlace;
  directWriter(connections: number, observer: PoolObserver | undefined): DirectWriter;
  close(): Promise<void>;
};

export const STATEMENT_TIMEOUT_MS = 5000;
/** A direct write that takes longer loses its connection. Milliseconds. */
const DIRECT_WRITE_MS = 5000;

/** Nothing is connected before the first statement. `found`: the place of a movable cell. */
export function openPool(options: DatabaseOptions, count: () => void, found?: Found): OpenPool {
  const { log, cell, epochs, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const { url, schema } = found?.place ?? { url: options.url, schema: cell?.name };
  const config = connectionConfig({ ...options, url, statementTimeoutMs }, schema);
  const pool = createPool({ ...config, max: options.poolSize }, log);
  const locks = createLocks({ ...config, query_timeout: 3000 }, log, cell?.name);
  const readOnly = createReadOnlyWatch();
  pool.on('connect', readOnly.opened);
  const gate = found && { query: found.place.gate, misplaced: found.misplaced };
  const writers: DirectWriter[] = [];
  return {
    source: { pool, count, readOnly, epochs, gate },
    locks,
    place: { url, schema, gate: found?.place.gate },
    directWriter(connections, observer) {
      const shared = { config: { ...config, pipeline: false }, log, count, readOnly, epochs, gate, observer };
      const writer = createDirectWriter({ ...shared, connections, timeoutMs: DIRECT_WRITE_MS });
      writers.push(writer);
      return writer;
    },
    async close() {
      const ending = pool.ended || pool.ending ? undefined : pool.end();
      await Promise.all([locks.close(), ending, ...writers.map((writer) => writer.close())]);
    },
  };
}

/** Measures the pools of a database. `pool`: the present one, if any. */
export function observeDatabase(
  { metrics, applicationName: name }: DatabaseOptions,
  pool: () => PoolCounts | undefined,
) {
  if (!metrics) return undefined;
  observeConnections(metrics, name, {
    get totalCount() {
      return pool()?.totalCount ?? 0;
    },
    get idleCount() {
      return pool()?.idleCount ?? 0;
    },
    get waitingCount() {
      return pool()?.waitingCount ?? 0;
    },
  });
  return observePool(metrics, name);
}

function createPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 60_000 });
  pool.on('error', (error) => log.warn({ error }, 'idle database connection lost'));
  // The pool does not listen to connections in use, and an error without a listener would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', watchReplication);
  return pool;
}

function connectionConfig(
  options: DatabaseOptions & { statementTimeoutMs: number },
  schema: string | undefined,
): pg.ClientConfig {
  // A single schema: with a second one in the path, a process that started where its tables are missing could use that one's tables.
  const path = schema === undefined ? [] : [`search_path=${schema}`];
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 2000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    pipeline: true,
    types: VALUE_TYPES,
    options: [...SESSION_SETTINGS, ...path, ...(options.sessionSettings ?? [])]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  };
}

const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // The server notices within half a minute that a client machine holding locks has vanished.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  // Every statement is written for an index and runs often: it is planned once, and its plan must not depend on how small a table happened
  // to be. Replanning a batch's write took longer than running it.
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
];
