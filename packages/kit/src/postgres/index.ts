import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { startTimeout } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';
import { followPool } from './cells/follow-pool.ts';
import { createMoving } from './cells/moving.ts';
import type { Cell } from './cells/place.ts';
import { acquire, cancel, release, run, sendBehindGate, type Connection, type Query } from './connection.ts';
import type { DirectWriter } from './direct-writer.ts';
import type { ConnectionEpochs } from './epoch.ts';
import { isSerializationFailure } from './errors.ts';
import type { Lock } from './locks.ts';
import {
  observeDatabase,
  openPool,
  STATEMENT_TIMEOUT_MS,
  type OpenPool,
  type PoolPlace,
} from './open-pool.ts';
import { runTransaction, type AttemptOptions, type Outcome } from './transaction.ts';

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
  /**
   * Sends one of the transaction's last statements, together with others of this turn and with the commit. If it fails, so does the
   * transaction.
   */
  last(query: Query): void;
  /** Queues a statement that returns rows. `fn` must not wait for them: they arrive with the answer to the commit. */
  lastQuery<Row>(query: Query): Promise<Row[]>;
  /** Undoes the effects of `fn` when it throws; the transaction continues. Savepoints of one transaction do not overlap. */
  savepoint<T>(fn: () => Promise<T>): Promise<T>;
  /**
   * Registers a hook for after the commit, once that is known to have succeeded; a hook that throws is logged. `ifUnknown` applies when the
   * answer to the commit was lost: the data may be stored, and nothing else will announce it.
   */
  afterCommit(hook: () => void, ifUnknown: IfUnknown): void;
}

/**
 * `same`: calls the hook, which is harmless if nothing was stored. `found`: does nothing, because a timer or a later call finds stored
 * data.
 */
export type IfUnknown = 'same' | 'found' | (() => void);

export type TxOptions = {
  isolation?: 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /**
   * Number of attempts when other transactions interfere. Default 3. `fn` runs again each time, so it must have no effects but its
   * statements and hooks.
   */
  tries?: number;
  /** A transaction that takes longer is cancelled. Default 5000, which readers of change logs rely on. */
  timeoutMs?: number;
};

export interface Database extends Sql {
  /** Rejects with Unavailable when the connection is lost during the commit, whose outcome is then unknown (`isUnknownOutcome`). */
  tx<T>(fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Undefined when another session holds the lock, or the database is unreachable. */
  tryLock(name: string): Promise<Lock | undefined>;
  /**
   * Opens a writer with minimal overhead, which uses `connections` connections in addition to the pool's. Undefined if transaction
   * callbacks run twice, since such writes have no callback.
   */
  directWriter(connections: number): DirectWriter | undefined;
  /**
   * The present place of the database, for connections opened outside the pool: their `search_path` is just `schema`, if there is one, and
   * each transaction, including a single statement, begins with `gate`, if there is one. When the gate fails with `PM001`, or a statement
   * because a table or the function is missing, nothing was done, and the caller must ask for the place again.
   */
  place(): Promise<PoolPlace>;
  /** Number of statements sent so far, including `begin` and `commit`; for tests that count statements. */
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
  /** Measures transactions and the wait for connections, under the application name. */
  metrics?: Metrics | undefined;
  /** Epochs of the database, for a service with a table of epochs. */
  epochs?: ConnectionEpochs | undefined;
  /** Settings of its sessions, such as `jit=on`, which override the common ones. */
  sessionSettings?: readonly string[];
  /** Default: the tables are in the schema `public`. */
  cell?: Cell | undefined;
} & DatabaseTestOptions;

export type DatabaseTestOptions = {
  /**
   * Whether every callback of `tx` runs twice. The first run is rolled back, as after a serialization failure, so that tests reveal
   * callbacks with effects outside their transaction.
   */
  runTransactionsTwice?: boolean;
};

/** Number of attempts before a serialization failure or deadlock reaches the caller. */
const TRIES = 3;
/** A server that exceeds a statement's time limit by this much is asked to cancel it, and then given up. Milliseconds. */
const SILENCE_MS = 2000;

/**
 * A pool of connections. Nothing is connected before the first statement, so a service can start before its database; lost connections are
 * replaced. Every failed statement rejects with a ConnectError (DatabaseError). Statements within a request (request-context) are cancelled
 * with it, and are not started after its deadline.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  let statements = 0;
  const count = (): void => void statements++;
  const { placement } = options.cell ?? {};
  const fixed = placement ? undefined : openPool(options, count);
  const moving = placement && createMoving(placement, (found) => openPool(options, count, found));
  const observer = observeDatabase(options, () => (fixed ?? moving?.now)?.source.pool);

  async function acquireObserved(): Promise<Connection> {
    const began = performance.now();
    const connection = await (fixed ? acquire(fixed.source) : moving!.reconnect(acquireFrom));
    observer?.acquired(performance.now() - began);
    return connection;
  }

  async function runOutsideTransaction(query: Query): Promise<pg.QueryResult> {
    const connection = await acquireObserved();
    const cancelTimer = startTimeout(statementTimeoutMs + SILENCE_MS, () => cancel(connection));
    try {
      return await run(connection, query, connection.gate && sendBehindGate);
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

  function repeat<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
    return moving ? moving.repeat(() => retry(work, tries)) : retry(work, tries);
  }

  return {
    query: async <Row>(query: Query) => (await repeat(() => runOutsideTransaction(query))).rows as Row[],
    execute: async (query) => (await repeat(() => runOutsideTransaction(query))).rowCount ?? 0,
    async tx(fn, txOptions = {}) {
      // A callback that throws already throws in the rehearsal.
      const rehearsal = { ...txOptions, rollBack: true };
      if (options.runTransactionsTwice) await repeat(() => attempt(fn, rehearsal), txOptions.tries);
      return settle(await repeat(() => attempt(fn, txOptions), txOptions.tries), log);
    },
    directWriter(connections) {
      if (options.runTransactionsTwice) return undefined;
      const open = (pool: OpenPool) => pool.directWriter(connections, observer);
      return fixed ? open(fixed) : followPool(moving!, open);
    },
    tryLock: async (name) => (fixed ?? (await moving!.current().catch(() => undefined)))?.locks.tryLock(name),
    place: async () => (fixed ?? (await moving!.current())).place,
    get statements() {
      return statements;
    },
    close: () => (fixed ?? moving!).close(),
  };
}

function acquireFrom({ source }: OpenPool): Promise<Connection> {
  return acquire(source);
}

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

/** Calls the hooks of a finished transaction, and returns its result, or throws that its outcome is unknown. */
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
