import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { startTimeout } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';
import {
  acquire,
  cancel,
  release,
  run,
  watchReplication,
  type Connection,
  type Query,
  type Source,
} from './connection.ts';
import { createDirectWriter, type DirectWriter } from './direct-writer.ts';
import type { ConnectionEpochs } from './epoch.ts';
import { isSerializationFailure } from './errors.ts';
import { createLocks, type Lock } from './locks.ts';
import { observeConnections, observePool, type PoolObserver } from './observer.ts';
import { createReadOnlyWatch } from './read-only.ts';
import { runTransaction, type AttemptOptions, type Outcome } from './transaction.ts';
import { VALUE_TYPES } from './values.ts';

export { DatabaseError, isLockTimeout, isOutage, isUnknownOutcome, toConnectError } from './errors.ts';
export { unlessReadOnly } from './read-only.ts';
export type { Query } from './connection.ts';
export type { DirectWriter } from './direct-writer.ts';
export type { Lock } from './locks.ts';

/** A statement outside a transaction is retried, like a transaction, when the server rolled it back in favour of another one. */
export interface Sql {
  query<Row>(query: Query): Promise<Row[]>;
  /** The number of rows affected. */
  execute(query: Query): Promise<number>;
}

export interface Tx extends Sql {
  /** One of the last statements: sent now, together with others of this turn and with the commit. When it fails, so does the transaction. */
  last(query: Query): void;
  /** Queues a statement that returns rows. `fn` must not wait for them: they arrive with the answer to the commit. */
  lastQuery<Row>(query: Query): Promise<Row[]>;
  /** Undoes what `fn` did when it throws; the transaction goes on. Savepoints of one transaction do not overlap. */
  savepoint<T>(fn: () => Promise<T>): Promise<T>;
  /**
   * Called once the commit is known to have succeeded; a hook that throws is logged. `ifUnknown` is for a commit whose answer was lost: what
   * it stored may be there, and nobody else will tell of it.
   */
  afterCommit(hook: () => void, ifUnknown: IfUnknown): void;
}

/** `same`: the hook, which does no harm if nothing was stored. `found`: nothing, because what was stored is looked for by a timer or a later call. */
export type IfUnknown = 'same' | 'found' | (() => void);

export type TxOptions = {
  isolation?: 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /**
   * Attempts when other transactions interfere. Default 3. `fn` runs again each time, so it must have no effects but its
   * statements and hooks.
   */
  tries?: number;
  /** A transaction that takes longer is cancelled. Default 5000, which readers of change logs rely on. */
  timeoutMs?: number;
};

export interface Database extends Sql {
  /** Rejects with Unavailable when the connection is lost in the commit; whether the commit took effect is then unknown (`isUnknownOutcome`). */
  tx<T>(fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Undefined when another session holds the lock, or the database cannot be reached. */
  tryLock(name: string): Promise<Lock | undefined>;
  /**
   * For writes that must begin and end with the least work, on so many connections beside the pool's. Undefined where the callbacks of
   * transactions run twice, since such a write has none.
   */
  directWriter(connections: number): DirectWriter | undefined;
  /** Number of statements sent so far, `begin` and `commit` included; read by tests that count statements. */
  readonly statements: number;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  url: string;
  poolSize: number;
  log: Logger;
  applicationName: string;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** Measures the wait for connections and the transactions, under the name of the application. */
  metrics?: Metrics | undefined;
  /** Those of the database, for a service that has its table of them. */
  epochs?: ConnectionEpochs | undefined;
} & DatabaseTestOptions;

export type DatabaseTestOptions = {
  /**
   * Every callback of `tx` runs twice. What it did the first time is rolled back, as after a serialization
   * failure, so that a test finds a callback with effects outside its transaction.
   */
  runTransactionsTwice?: boolean;
};

/** How often a statement or a transaction is tried before its serialization failure or deadlock reaches the caller. */
const TRIES = 3;
const STATEMENT_TIMEOUT_MS = 5000;
/** A direct write that takes longer loses its connection. */
const DIRECT_WRITE_MS = 5000;
/** A server that has not answered a statement by so much after its time limit is asked to cancel it, and then given up. */
const SILENCE_MS = 2000;

/**
 * A pool of connections. Nothing is connected before the first statement, so a service starts before its database;
 * lost connections are replaced. Every statement that fails rejects with a ConnectError (DatabaseError). Statements run
 * within a request (request-context) are cancelled with it, and are not begun after its deadline.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const config = connectionConfig({ ...options, statementTimeoutMs });
  const pool = createPool({ ...config, max: options.poolSize }, log);
  const locks = createLocks({ ...config, query_timeout: 3000 }, log);
  const readOnly = createReadOnlyWatch();
  pool.on('connect', readOnly.opened);
  let statements = 0;
  const writers: DirectWriter[] = [];
  const source: Source = { pool, count: () => void statements++, readOnly, epochs: options.epochs };
  const observer = options.metrics && observePool(options.metrics, options.applicationName);
  if (options.metrics) observeConnections(options.metrics, options.applicationName, pool);

  const acquireObserved = (): Promise<Connection> => acquireMeasured(source, observer);

  async function runOutsideTransaction(query: Query): Promise<pg.QueryResult> {
    const connection = await acquireObserved();
    const cancelTimer = startTimeout(statementTimeoutMs + SILENCE_MS, () => cancel(connection));
    try {
      return await run(connection, query);
    } finally {
      cancelTimer();
      release(connection);
    }
  }

  async function attempt<T>(fn: (tx: Tx) => Promise<T>, attemptOptions: AttemptOptions) {
    const connection = await acquireObserved();
    const began = performance.now();
    try {
      return await runTransaction(connection, fn, attemptOptions);
    } finally {
      observer?.ended(performance.now() - began);
      release(connection);
    }
  }

  return {
    query: async <Row>(query: Query) =>
      (await retry(() => runOutsideTransaction(query), TRIES)).rows as Row[],
    execute: async (query) => (await retry(() => runOutsideTransaction(query), TRIES)).rowCount ?? 0,
    async tx(fn, txOptions = {}) {
      // A callback that throws already throws in the rehearsal.
      const rehearsal = { ...txOptions, rollBack: true };
      if (options.runTransactionsTwice) await retry(() => attempt(fn, rehearsal), txOptions.tries ?? TRIES);
      return settle(await retry(() => attempt(fn, txOptions), txOptions.tries ?? TRIES), log);
    },
    tryLock: (name) => locks.tryLock(name),
    directWriter(connections) {
      if (options.runTransactionsTwice) return undefined;
      const { count, epochs } = source;
      const shared = { config: { ...config, pipeline: false }, log, count, readOnly, epochs, observer };
      const writer = createDirectWriter({ ...shared, connections, timeoutMs: DIRECT_WRITE_MS });
      writers.push(writer);
      return writer;
    },
    get statements() {
      return statements;
    },
    async close() {
      const ending = pool.ended || pool.ending ? undefined : pool.end();
      await Promise.all([locks.close(), ending, ...writers.map((writer) => writer.close())]);
    },
  };
}

async function acquireMeasured(source: Source, observer: PoolObserver | undefined): Promise<Connection> {
  const began = performance.now();
  const connection = await acquire(source);
  observer?.acquired(performance.now() - began);
  return connection;
}

function createPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 60_000 });
  pool.on('error', (error) => log.warn({ error }, 'idle database connection lost'));
  // The pool does not listen to a connection in use, and an error without a listener would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', watchReplication);
  return pool;
}

function connectionConfig(options: DatabaseOptions & { statementTimeoutMs: number }): pg.ClientConfig {
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
    options: SESSION_SETTINGS.map((setting) => `-c ${setting}`).join(' '),
  };
}

const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // The server notices within half a minute that a client machine with locks is gone.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  // Every statement is written for an index and runs often: it is planned once, and its plan must not depend on how
  // small a table was that day. Planning a batch's write anew took longer than running it.
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
];

async function retry<T>(work: () => Promise<T>, tries: number): Promise<T> {
  for (let done = 1; ; done++) {
    try {
      return await work();
    } catch (error) {
      if (done >= tries || !isSerializationFailure(error)) throw error;
    }
    await delay(Math.random() * 20 * done);
  }
}

/** Calls the hooks of a transaction that is over, and gives its result, or throws that it is not known whether it is committed. */
function settle<T>(outcome: Outcome<T>, log: Logger): T {
  const isKnown = 'result' in outcome;
  for (const { run: hook, ifUnknown } of outcome.hooks) {
    if (isKnown || ifUnknown === 'same') callHook(hook, log);
    else if (ifUnknown !== 'found') callHook(ifUnknown, log);
  }
  if (isKnown) return outcome.result;
  throw outcome.error;
}

function callHook(hook: () => void, log: Logger): void {
  try {
    hook();
  } catch (error) {
    log.error({ error }, 'after-commit hook failed');
  }
}
