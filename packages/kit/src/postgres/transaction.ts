import { Code } from '@connectrpc/connect';
import { startTimeout } from '../runtime/clock/index.ts';
import type { IfUnknown, Sql, Tx, TxOptions } from './index.ts';
import {
  answered,
  cancel,
  run,
  send,
  sendTogether,
  unsentGroup,
  type Connection,
  type Query,
} from './connection.ts';
import { breaksConnection, DatabaseError, isMisplaced, isOutage, isUnknownOutcome } from './errors.ts';
import type { StatementGroup } from './statement-group.ts';

/** Longest transaction; readers that look back for late commits rely on it. Milliseconds. */
const LONGEST_MS = 5000;

/** `rollBack`: the transaction is rolled back instead of committed, and its hooks are not called. */
export type AttemptOptions = TxOptions & { rollBack?: boolean };

export type Hook = { run: () => void; ifUnknown: IfUnknown };

/** `error`: the outcome of the transaction is unknown. */
export type Outcome<T> = { result: T; hooks: Hook[] } | { error: DatabaseError; hooks: Hook[] };

/**
 * Runs `fn` in one transaction on this connection. `begin` travels with the first statement, so it costs no round
 * trip, and a transaction without statements costs nothing. Hooks are returned, for the caller to run once the
 * connection is free again.
 */
export async function runTransaction<T>(
  connection: Connection,
  fn: (tx: Tx) => Promise<T>,
  options: AttemptOptions,
): Promise<Outcome<T>> {
  const state: State = {
    connection,
    begin: beginText(options),
    begun: undefined,
    group: undefined,
    over: false,
    hooks: [],
    savepoints: 0,
  };
  const cancelTimer = startTimeout(options.timeoutMs ?? LONGEST_MS, () => cancel(connection));
  try {
    const result = await fn(createTx(state));
    if (options.rollBack) return { result, hooks: await undo(state) };
    if (state.begun) await finish(state);
    return { result, hooks: state.hooks };
  } catch (error) {
    if (isUnknownOutcome(error)) return { error: error as DatabaseError, hooks: state.hooks };
    if (state.begun && !state.isWhole && !connection.broken) await rollback(connection);
    throw state.refusal ?? error;
  } finally {
    state.over = true;
    cancelTimer();
  }
}

type State = {
  connection: Connection;
  begin: string;
  begun: Promise<unknown> | undefined;
  /** Statements that are sent together with `begin`. */
  group: StatementGroup | undefined;
  /** The gate's error. */
  refusal?: DatabaseError;
  /** Whether the transaction is exactly the group, and ends with it. */
  isWhole?: boolean;
  over: boolean;
  hooks: Hook[];
  savepoints: number;
  /** A statement that has been sent; its answer precedes that of the commit. */
  last?: Promise<unknown>;
};

function createTx(state: State): Tx {
  const sql: Sql = {
    query: async <Row>(query: Query) => (await statement(state, query)).rows as Row[],
    execute: async (query) => (await statement(state, query)).rowCount ?? 0,
  };
  return {
    ...sql,
    last(query) {
      state.last = unawaited(statement(state, query));
    },
    lastQuery<Row>(query: Query) {
      const answer = unawaited(statement(state, query));
      state.last = answer;
      return unawaited(answer.then(({ rows }) => rows as Row[]));
    },
    savepoint: (fn) => savepoint(state, fn),
    afterCommit: (run, ifUnknown) => void state.hooks.push({ run, ifUnknown }),
  };
}

async function statement(state: State, query: Query) {
  if (state.over) throw new DatabaseError('the transaction is over', Code.Internal);
  if (state.connection.broken) throw state.refusal ?? cancelled();
  if (state.begun) return run(state.connection, query, sendTogether);
  state.begun = begin(state).catch((error: unknown) => {
    state.connection.broken = true;
    if (isMisplaced(error)) state.refusal = error as DatabaseError;
    throw error;
  });
  state.group = unsentGroup(state.connection);
  const [, result] = await Promise.all([state.begun, run(state.connection, query, sendTogether)]);
  return result;
}

/** A transaction refused by the gate has done nothing, and its connection leads to the wrong server. */
function begin({ connection, begin: text }: State): Promise<unknown> {
  const { gate } = connection;
  const begun = sendTogether(connection, control(text));
  return gate ? Promise.all([begun, sendTogether(connection, gate.query)]) : begun;
}

// The savepoint's own statements are sent along with the work: if one fails, so do the following ones.
async function savepoint<T>(state: State, fn: () => Promise<T>): Promise<T> {
  const name = `s${++state.savepoints}`;
  const hooks = state.hooks.length;
  const opened = unawaited(statement(state, { text: `savepoint ${name}` }));
  try {
    const result = await fn();
    await opened;
    void unawaited(statement(state, { text: `release savepoint ${name}` }));
    return result;
  } catch (error) {
    state.hooks.length = hooks;
    if (isOutage(error)) throw error;
    await statement(state, { text: `rollback to savepoint ${name}` });
    throw error;
  }
}

/** `begin` or `commit`, which each connection prepares once. */
function control(text: string): Query {
  return { name: text, text };
}

function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The last statement and the commit share a round trip; a failure of the first makes the second a rollback. */
async function finish(state: State): Promise<void> {
  const { last } = state;
  if (!last) return commit(state);
  const [written, committed] = await Promise.allSettled([last, commit(state)]);
  if (written.status === 'rejected' && isRefused(written.reason)) throw written.reason;
  if (committed.status === 'rejected' && isOutage(committed.reason)) throw committed.reason;
  if (written.status === 'rejected') throw written.reason;
  if (committed.status === 'rejected') throw committed.reason;
}

/** Whether the server has answered with an error and skipped the commit. */
function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState !== undefined;
}

async function undo({ connection, begun, last }: State): Promise<[]> {
  await last;
  if (begun) await rollback(connection);
  return [];
}

function cancelled(): DatabaseError {
  return new DatabaseError('the transaction was cancelled', Code.DeadlineExceeded);
}

async function commit(state: State): Promise<void> {
  const { connection, group } = state;
  if (connection.broken) throw state.refusal ?? cancelled();
  if (connection.epochs?.isOfEarlier(connection.client)) {
    connection.broken = true;
    throw new DatabaseError('the connection is to a server that is not used any more', Code.Unavailable);
  }
  const fail = (error: unknown): never => {
    throw breaksConnection(error) && !isUnknownOutcome(error) ? unknownOutcome(error) : error;
  };
  connection.committing = true;
  if (group && canBeWhole(state)) {
    state.isWhole = true;
    return answered(connection, group.commitAtEnd()).catch(fail);
  }
  const { command } = await sendTogether(connection, control('commit')).catch(fail);
  // Postgres answers the commit of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT')
    throw new DatabaseError('rolled back: a statement had failed before', Code.Internal);
}

/** Whether nothing of the transaction has been sent, so that it can go to the server in one piece. */
function canBeWhole({ connection, group, begin, savepoints }: State): boolean {
  return group !== undefined && group === unsentGroup(connection) && begin === 'begin' && savepoints === 0;
}

async function rollback(connection: Connection): Promise<void> {
  await send(connection, { text: 'rollback' }).catch(() => {
    connection.broken = true;
  });
}

function unknownOutcome(cause: unknown): DatabaseError {
  return new DatabaseError('connection lost in commit: the outcome is unknown', Code.Unavailable, {
    isUnknown: true,
    cause,
  });
}

function beginText({ isolation, readOnly }: TxOptions): string {
  return `begin${isolation ? ` isolation level ${isolation}` : ''}${readOnly ? ' read only' : ''}`;
}
