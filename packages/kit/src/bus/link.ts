import type { NatsConnection } from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import { setTimeout as delay } from 'node:timers/promises';
import { startInterval } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { connectOnce, drain, pingedBy, RETRY_MS, type NatsAccess } from './connect.ts';
import {
  createLinkState,
  currentOf,
  listen,
  noteClose,
  noteConnect,
  noteLoss,
  noteConfirmed,
  type LinkState,
} from './link-state.ts';
import { createConnectionLiveness, TICK_MS, type ConnectionLiveness } from './connection-liveness.ts';

/** A connection that is re-established automatically, for as long as the process lives. */
export type Link = {
  /** Undefined while there is no connection. */
  current(): NatsConnection | undefined;
  /** Resolves once there is a connection, with undefined once the link is closed or the signal aborts. */
  whenUp(signal: AbortSignal): Promise<NatsConnection | undefined>;
  /**
   * Settles like the request, or rejects with Unavailable as soon as the connection is lost, since no answer arrives after that. Without a
   * connection the request is not made.
   */
  unlessLost<T>(request: (nc: NatsConnection) => Promise<T>): Promise<T>;
  /** Calls `fn` after each connect, including the first, until the returned function is called. */
  onConnect(fn: (nc: NatsConnection) => void): () => void;
  /** Calls `fn` after each connect except the first, until the returned function is called. */
  onReconnect(fn: () => void): () => void;
  /**
   * Calls `fn` after each connect, once the subscriptions are in force: messages from `since` on may have been missed.
   * `since` is when the last answered ping was sent, or the link opened, by `performance.now()`.
   */
  onGap(fn: (since: number) => void): () => void;
  /** Calls `fn` with times, by `performance.now()`: everything written before them has reached the server. */
  onConfirmed(fn: (sentAt: number) => void): () => void;
  close(): Promise<void>;
};

type LinkOptions = NatsAccess & { log: Logger };
type Opened = {
  readonly options: LinkOptions;
  readonly state: LinkState;
  readonly liveness: ConnectionLiveness;
};

/** Resolves after the first attempt, even if it failed, so that a service can start before its NATS server. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const state = createLinkState(performance.now());
  const { listeners } = state;
  const liveness = createConnectionLiveness({
    now: () => performance.now(),
    confirmed: (sentAt) => noteConfirmed(state, sentAt),
    dead: (silentMs) => options.log.warn({ silentMs }, 'NATS does not answer; reconnecting'),
  });
  const stopWatch = startInterval(TICK_MS, () => liveness.tick());
  const opened: Opened = { options, state, liveness };
  const trying = (await attempt(opened)) ? undefined : keepTrying(opened);
  return {
    current: () => currentOf(state),
    whenUp: (signal) => whenUp(state, signal),
    unlessLost: (request) => unlessLost(state, request),
    onConnect(fn) {
      const nc = currentOf(state);
      if (nc) fn(nc);
      return listen(listeners.connect, fn);
    },
    onReconnect: (fn) => listen(listeners.reconnect, fn),
    onGap: (fn) => listen(listeners.gap, fn),
    onConfirmed: (fn) => listen(listeners.confirmed, fn),
    async close() {
      noteClose(state);
      await trying;
      stopWatch();
      if (state.nc && state.isUp) await drain(state.nc, options.log);
      await state.nc?.close();
    },
  };
}

async function attempt(opened: Opened): Promise<boolean> {
  const { options, state } = opened;
  try {
    const nc = await connectOnce(options);
    state.nc = nc;
    void follow(opened, nc);
    connected(opened, nc);
    return true;
  } catch (error) {
    options.log.warn({ error }, 'failed to connect to NATS; will retry');
    return false;
  }
}

async function keepTrying(opened: Opened): Promise<void> {
  const { state } = opened;
  do await delay(RETRY_MS);
  while (!state.isClosed && !(await attempt(opened)));
  if (state.isClosed) await state.nc?.close();
}

async function follow(opened: Opened, nc: NatsConnection): Promise<void> {
  for await (const status of nc.status()) {
    const { type } = status;
    if (type === 'error')
      opened.options.log.error({ error: status.error }, 'NATS refused a request or a subject');
    if (type !== 'disconnect' && type !== 'reconnect') continue;
    if (type === 'disconnect') lost(opened);
    else connected(opened, nc);
    opened.options.log.warn({ event: type }, 'NATS connection changed');
  }
}

function connected({ state, liveness }: Opened, nc: NatsConnection): void {
  noteConnect(state, nc);
  liveness.connected(pingedBy(nc));
}

function lost({ state, liveness }: Opened): void {
  liveness.lost();
  noteLoss(state);
}

// Promise.race with one promise for the loss would retain a callback for every request ever made.
function unlessLost<T>(state: LinkState, request: (nc: NatsConnection) => Promise<T>): Promise<T> {
  const nc = currentOf(state);
  if (!nc) return Promise.reject(connectionLost());
  const { loss } = state.listeners;
  const requested = request(nc);
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(connectionLost());
    loss.add(fail);
    requested.then(resolve, reject).finally(() => loss.delete(fail));
  });
}

function connectionLost(): ConnectError {
  return new ConnectError('NATS is not connected', Code.Unavailable);
}

function whenUp(state: LinkState, signal: AbortSignal): Promise<NatsConnection | undefined> {
  const nc = currentOf(state);
  if (nc || state.isClosed || signal.aborted) return Promise.resolve(nc);
  const { connect, close } = state.listeners;
  return new Promise((resolve) => {
    const done = (up?: NatsConnection): void => {
      connect.delete(done);
      close.delete(stop);
      signal.removeEventListener('abort', stop);
      resolve(up);
    };
    const stop = (): void => done();
    connect.add(done);
    close.add(stop);
    signal.addEventListener('abort', stop);
  });
}
