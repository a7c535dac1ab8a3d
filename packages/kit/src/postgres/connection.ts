import { Code, ConnectError } from '@connectrpc/connect';
import type pg from 'pg';
import { startTimeout } from '../runtime/clock/index.ts';
import { currentContext } from '../runtime/request-context.ts';
import { arrayText } from './array-text.ts';
import { requestCancel, type Wire } from './cancel-request.ts';
import type { ConnectionEpochs } from './epoch.ts';
import { breaksConnection, DatabaseError, isMisplaced, isReadOnly, toConnectError } from './errors.ts';
import { createPlanRenewal, type PlanRenewal } from './plan-renewal.ts';
import type { ReadOnlyWatch } from './read-only.ts';
import { StatementGroup } from './statement-group.ts';

/** `name` makes it a prepared statement; each name must always have the same text. */
export type Query = { text: string; values?: unknown[]; name?: string };

/** A connection in use. `broken`: it must be closed instead of returned to the pool. */
export type Connection = {
  client: pg.PoolClient;
  broken: boolean;
  /** The commit has been sent: it is no longer cancelled, since that would only end the wait for a standby. */
  committing?: boolean;
  count: () => void;
  readOnly: ReadOnlyWatch;
  epochs?: ConnectionEpochs | undefined;
  /** The first statement of every transaction; undefined: there is no gate. docs/decisions/cells.md#the-gate */
  gate?: Gate | undefined;
};

/** `misplaced`: called when the cell proves to be on another server. */
export type Gate = { query: Query; misplaced: () => void };

/** The source of connections. `count` is called for each statement. */
export type Source = Pick<Connection, 'count' | 'readOnly' | 'epochs' | 'gate'> & { pool: pg.Pool };

const CANCEL_GRACE_MS = 1000;

/** Takes a connection from the pool. Rejects as soon as the caller's request is cancelled. */
export async function acquire({ pool, count, readOnly, epochs, gate }: Source): Promise<Connection> {
  refuseLateWork();
  try {
    let client = await connect(pool);
    if (epochs && !epochs.hasMet(client)) await meet(epochs, client, gate);
    while (readOnly.isStale(client) || epochs?.isStale(client)) {
      client.release(true);
      client = await connect(pool);
      if (epochs && !epochs.hasMet(client)) await meet(epochs, client, gate);
    }
    renewPlans(client);
    return { client, broken: false, count, readOnly, epochs, gate };
  } catch (error) {
    throw toConnectError(error);
  }
}

/** Determines the epoch of the database before a new connection is used. */
async function meet(epochs: ConnectionEpochs, client: pg.PoolClient, gate: Gate | undefined): Promise<void> {
  try {
    await epochs.meet(client, gate && ((query) => behindGate(client, gate.query, query)));
  } catch (error) {
    if (isMisplaced(error)) gate?.misplaced();
    client.release(true);
    throw error;
  }
}

/** Runs one statement behind the gate, both in one implicit transaction. */
export async function behindGate(
  client: pg.ClientBase,
  gate: Query,
  query: Query,
  count: () => void = () => undefined,
): Promise<pg.QueryResult> {
  const group = new StatementGroup(count);
  const opened = group.add(gate);
  const answer = group.add(encoded(query));
  const ended = group.commitAll();
  void client.query(group as unknown as pg.Submittable);
  const [, result] = await Promise.all([opened, answer, ended]);
  return result;
}

/** Runs one statement to completion, even if the request is cancelled, within the transaction of the connection's gate. */
export function sendBehindGate(connection: Connection, query: Query): Promise<pg.QueryResult> {
  const { client, gate, count } = connection;
  if (!gate) return send(connection, query);
  sendGroup(client);
  return answered(connection, behindGate(client, gate.query, query, count));
}

function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const signal = currentContext()?.signal;
  const connecting = pool.connect();
  return signal ? unlessAborted(connecting, signal) : connecting;
}

const PLANS = new WeakMap<pg.PoolClient, PlanRenewal>();

function renewPlans(client: pg.PoolClient): void {
  const plans = PLANS.get(client);
  if (!plans) PLANS.set(client, createPlanRenewal());
  // Sent ahead of the next statement, which also fails if the connection is lost.
  else if (plans.isDue()) client.query('discard plans').catch(() => undefined);
}

export function release({ client, broken }: Connection): void {
  client.release(broken);
}

/**
 * Runs one statement. When the current request's signal aborts, the query is cancelled on the server and the
 * connection is marked broken, since a cancel that arrives late would hit the next statement.
 */
export async function run(connection: Connection, query: Query, sending = send): Promise<pg.QueryResult> {
  refuseLateWork();
  const signal = currentContext()?.signal;
  const abort = (): void => cancel(connection);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await sending(connection, query);
  } catch (error) {
    throw signal?.aborted ? cancelledError(signal, error) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Runs one statement to completion, even if the request is cancelled. */
export function send(connection: Connection, query: Query): Promise<pg.QueryResult> {
  sendGroup(connection.client);
  connection.count();
  return answered(connection, connection.client.query(encoded(query)));
}

/**
 * Statements that have not been sent. Each client keeps one entry permanently, since an entry deleted from a `WeakMap` is retained for
 * long: docs/decisions/foundation.md#short-lived-objects-stay-young
 */
const UNSENT = new WeakMap<pg.PoolClient, { group: StatementGroup | undefined }>();

function unsentOf(client: pg.PoolClient): { group: StatementGroup | undefined } {
  let unsent = UNSENT.get(client);
  if (!unsent) UNSENT.set(client, (unsent = { group: undefined }));
  return unsent;
}

/** Sends a statement of a transaction together with the others of this turn of the event loop. */
export function sendTogether(connection: Connection, query: Query): Promise<pg.QueryResult> {
  const { client, count } = connection;
  const unsent = unsentOf(client);
  if (!unsent.group) {
    unsent.group = new StatementGroup(count);
    process.nextTick(sendGroup, client);
  }
  return answered(connection, unsent.group.add(encoded(query)));
}

/** The statements of this turn, none of which has been sent. */
export function unsentGroup({ client }: Connection): StatementGroup | undefined {
  return unsentOf(client).group;
}

function encoded(query: Query): Query {
  if (!query.values) return query;
  return {
    ...query,
    values: query.values.map((value) => (Array.isArray(value) ? (arrayText(value) ?? value) : value)),
  };
}

/** Statements go to the server in the order in which they were given. */
function sendGroup(client: pg.PoolClient): void {
  const unsent = unsentOf(client);
  const { group } = unsent;
  unsent.group = undefined;
  if (group) void client.query(group as unknown as pg.Submittable);
}

/** Clients with a commit that no standby has confirmed. */
const UNREPLICATED = new WeakSet<object>();

/** The server routine that abandons the wait for a standby: it reports success with a warning. */
const GIVES_UP_STANDBY = 'SyncRepWaitForLSN';

/**
 * Listens for the warning about a commit that is stored on only one server, because the wait for its synchronous standby was cancelled or
 * took too long. A failover would lose it, so its outcome is unknown.
 */
export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === GIVES_UP_STANDBY) UNREPLICATED.add(client);
  });
}

/** Whether the connection committed something that a failover may lose. */
export function isUnreplicated(client: pg.ClientBase): boolean {
  return UNREPLICATED.has(client);
}

function unreplicated(): DatabaseError {
  const message = 'committed on one server alone: the outcome is unknown';
  return new DatabaseError(message, Code.Unavailable, { isUnknown: true });
}

/** Updates the connection's state after an error of the server. */
export async function answered<T>(connection: Connection, answer: Promise<T>): Promise<T> {
  try {
    const settled = await answer;
    if (isUnreplicated(connection.client)) throw unreplicated();
    return settled;
  } catch (cause) {
    const error = toConnectError(cause);
    if (isReadOnly(error)) connection.readOnly.refused();
    if (connection.gate && isMisplaced(error)) connection.gate.misplaced();
    if (breaksConnection(error)) connection.broken = true;
    throw error;
  }
}

/**
 * Cancels the connection's current statement, unless that is the commit; closes the connection if the server does not react within a
 * second.
 */
export function cancel(connection: Connection): void {
  if (connection.broken) return;
  connection.broken = true;
  const wire = connection.client as unknown as Wire;
  if (!connection.committing) requestCancel(wire);
  const cancelTimer = startTimeout(CANCEL_GRACE_MS, () => wire.connection.stream.destroy());
  wire.connection.stream.once('close', cancelTimer);
}

/** Throws when the current request is cancelled or past its deadline, so that no further work starts. */
function refuseLateWork(): void {
  const context = currentContext();
  if (context?.signal?.aborted) throw cancelledError(context.signal);
  if (context?.deadline !== undefined && context.deadline <= performance.now()) {
    throw new DatabaseError('the deadline has passed', Code.DeadlineExceeded);
  }
}

function cancelledError(signal: AbortSignal, cause: unknown = signal.reason): DatabaseError {
  const { reason } = signal as { reason: unknown };
  const timedOut =
    (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) ||
    (reason instanceof Error && reason.name === 'TimeoutError');
  return timedOut
    ? new DatabaseError('the deadline has passed', Code.DeadlineExceeded, { cause })
    : new DatabaseError('the request was cancelled', Code.Canceled, { cause });
}

function unlessAborted(connecting: Promise<pg.PoolClient>, signal: AbortSignal): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(cancelledError(signal));
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
    };
    signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', abort);
    connecting.then(
      (client) => (settle(), signal.aborted || resolve(client)),
      (error) => (settle(), reject(error)),
    );
  });
}
