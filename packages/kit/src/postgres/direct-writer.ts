import { Code } from '@connectrpc/connect';
import pg from 'pg';
import { startDeadline } from '../runtime/clock/deadline.ts';
import { detach } from '../runtime/request-context.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { behindGate, isUnreplicated, watchReplication, type Gate, type Query } from './connection.ts';
import { DirectStatements } from './direct-statements.ts';
import type { ConnectionEpochs } from './epoch.ts';
import { breaksConnection, DatabaseError, isMisplaced, isReadOnly, toConnectError } from './errors.ts';
import type { PoolObserver } from './observer.ts';
import { createPlanRenewal, type PlanRenewal } from './plan-renewal.ts';
import type { ReadOnlyWatch } from './read-only.ts';

/**
 * Called once, with the error or with the first column of the last statement's first row, as text (`t` and `f` for booleans). The outcome
 * of an error may be unknown (`isUnknownOutcome`).
 */
export type Settle = (error: Error | undefined, value: string | null | undefined) => void;

/**
 * Writes on its own connections, without promises, a pool or transactions in between: each of these costs as much as the statement itself
 * when writes come one at a time.
 */
export type DirectWriter = {
  /** Whether `write` would find a free connection now; otherwise one is being opened. */
  isFree(): boolean;
  /** Sends named statements as one implicit transaction. False: no connection is free, and nothing was sent. */
  write(statements: readonly Query[], settle: Settle): boolean;
  close(): Promise<void>;
};

export type DirectOptions = {
  config: pg.ClientConfig;
  connections: number;
  /** A write that takes longer loses its connection. Milliseconds. */
  timeoutMs: number;
  log: Logger;
  count: () => void;
  readOnly: ReadOnlyWatch;
  epochs: ConnectionEpochs | undefined;
  observer: PoolObserver | undefined;
  /** Absent if the tables stay on this server. */
  gate?: Gate | undefined;
};

type Link = {
  client: pg.Client;
  plans: PlanRenewal;
  /** Whether the writer is connected, with no statement under way. */
  isFree: boolean;
  isClosed: boolean;
};

type State = DirectOptions & { links: Set<Link>; opening: number; retryAt: number; isClosed: boolean };

/** Wait before the next attempt after a failure to connect. Milliseconds. */
const RETRY_MS = 500;

const runDetached = detach();

export function createDirectWriter(options: DirectOptions): DirectWriter {
  const state: State = { ...options, links: new Set(), opening: 0, retryAt: 0, isClosed: false };
  return {
    isFree: () => freeLink(state) !== undefined,
    write(statements, settle) {
      const link = freeLink(state);
      if (link) send(state, link, { statements, settle });
      return link !== undefined;
    },
    async close() {
      state.isClosed = true;
      await Promise.all([...state.links].map(({ client }) => client.end().catch(() => undefined)));
    },
  };
}

function freeLink(state: State): Link | undefined {
  const { links, readOnly, epochs } = state;
  for (const link of links) {
    if (!link.isFree) continue;
    if (!readOnly.isStale(link.client) && !epochs?.isStale(link.client)) return link;
    drop(state, link);
  }
  const isFull = links.size + state.opening >= state.connections;
  if (!isFull && !state.isClosed && performance.now() >= state.retryAt) void runDetached(() => open(state));
  return undefined;
}

async function open(state: State): Promise<void> {
  const { config, log, readOnly, epochs, links, gate } = state;
  state.opening += 1;
  const client = new pg.Client(config);
  const link: Link = { client, plans: createPlanRenewal(), isFree: false, isClosed: false };
  client.on('error', () => drop(state, link));
  client.on('end', () => drop(state, link));
  watchReplication(client);
  try {
    await client.connect();
    readOnly.opened(client);
    await epochs?.meet(client, gate && ((query) => behindGate(client, gate.query, query)));
    if (link.isClosed || state.isClosed) throw new Error('the connection was closed');
    links.add(link);
    link.isFree = true;
  } catch (error) {
    state.retryAt = performance.now() + RETRY_MS;
    if (!state.isClosed) log.warn({ error }, 'a connection for direct writes could not be opened');
    drop(state, link);
  } finally {
    state.opening -= 1;
  }
}

function drop(state: State, link: Link): void {
  if (link.isClosed) return;
  link.isClosed = true;
  link.isFree = false;
  state.links.delete(link);
  link.client.end().catch(() => undefined);
}

type Write = { statements: readonly Query[]; settle: Settle };

function send(state: State, link: Link, { statements: given, settle }: Write): void {
  const { client } = link;
  const statements = state.gate ? [state.gate.query, ...given] : given;
  link.isFree = false;
  for (let sent = 0; sent < statements.length; sent++) state.count();
  const began = performance.now();
  const cancelTimer = startDeadline(state.timeoutMs, () => abandon(client));
  const direct = new DirectStatements(statements, (cause, value) => {
    cancelTimer();
    state.observer?.ended(performance.now() - began);
    const error = errorOf(client, cause, direct.isSent);
    if (error) noteError(state, link, error);
    else free(link);
    settle(error, value);
  });
  void client.query(direct as unknown as pg.Submittable);
}

/** The server is not asked to cancel the statement, since that might only end the wait for a standby. */
function abandon(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

function errorOf(client: pg.Client, cause: unknown, isSent: boolean): Error | undefined {
  if (cause === undefined) return isUnreplicated(client) ? unknownOutcome() : undefined;
  const error = toConnectError(cause);
  const isAnswer = error instanceof DatabaseError && error.sqlState !== undefined;
  return isSent && (!isAnswer || isUnreplicated(client)) ? unknownOutcome(cause) : error;
}

function unknownOutcome(cause?: unknown): DatabaseError {
  return new DatabaseError('connection lost in a direct write: the outcome is unknown', Code.Unavailable, {
    isUnknown: true,
    cause,
  });
}

function noteError(state: State, link: Link, error: Error): void {
  if (isReadOnly(error)) state.readOnly.refused();
  if (isMisplaced(error)) state.gate?.misplaced();
  if (breaksConnection(error)) drop(state, link);
  else free(link);
}

/** Plans are renewed while nothing waits for the connection. */
function free(link: Link): void {
  if (link.isClosed) return;
  if (!link.plans.isDue()) {
    link.isFree = true;
    return;
  }
  const renewed = (): void => void (link.isFree = !link.isClosed);
  link.client.query('discard plans').then(renewed, renewed);
}
