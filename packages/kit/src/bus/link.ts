import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import { setTimeout as delay } from 'node:timers/promises';
import { startInterval, startTimeout } from '../clock.ts';
import type { Logger } from '../telemetry/log.ts';
import { createProof, TICK_MS, type Pinged } from './proof.ts';

const RETRY_MS = 250;
/** Time limit for flushing a link that is being closed. */
const DRAIN_MS = 2_000;
/** One attempt to connect to one server. */
const CONNECT_MS = 2_000;
/** The look-up of the name of a server. */
const RESOLVE_MS = 3_000;

/** A connection that comes back by itself, for as long as the process lives. */
export type Link = {
  /** Undefined while there is no connection. */
  current(): NatsConnection | undefined;
  /** Resolves once there is a connection, with undefined once the link is closed or the signal aborts. */
  whenUp(signal: AbortSignal): Promise<NatsConnection | undefined>;
  /**
   * Resolves as the request does, or rejects with Unavailable as soon as the connection is lost, since no answer comes
   * after that. Without a connection the request is not made.
   */
  unlessLost<T>(request: (nc: NatsConnection) => Promise<T>): Promise<T>;
  /** Calls `fn` after each connect, the first one included, until the result is called. */
  onConnect(fn: (nc: NatsConnection) => void): () => void;
  /** Calls `fn` after each connect but the first, until the result is called. */
  onReconnect(fn: () => void): () => void;
  /**
   * Calls `fn` after each connect, once the subscriptions are in force: messages from `since` on may have been missed.
   * `since` is when the last answered ping was sent, or the link opened, by `performance.now()`.
   */
  onGap(fn: (since: number) => void): () => void;
  /** Calls `fn` with each time, by `performance.now()`, before which everything written has reached the server. */
  onProof(fn: (sentAt: number) => void): () => void;
  close(): Promise<void>;
};

type State = {
  nc?: NatsConnection;
  up: boolean;
  connects: number;
  closed: boolean;
  provenAt: number;
  /** Set from a connect until its first proof. */
  gapSince?: number | undefined;
};

/** Resolves after the first attempt, whether it succeeded or not: a service starts before its NATS server. */
export async function openLink(options: { url: string; name: string; log: Logger }): Promise<Link> {
  const state: State = { up: false, connects: 0, closed: false, provenAt: performance.now() };
  const onConnect = new Set<(nc: NatsConnection) => void>();
  const onReconnect = new Set<() => void>();
  const onLoss = new Set<() => void>();
  const onGap = new Set<(since: number) => void>();
  const onProof = new Set<(sentAt: number) => void>();
  const proof = createProof({
    now: () => performance.now(),
    proven,
    dead: (silentMs) => options.log.warn({ silentMs }, 'NATS does not answer; reconnecting'),
  });
  const stopWatch = startInterval(TICK_MS, () => proof.tick());

  function proven(sentAt: number): void {
    const since = state.gapSince;
    state.provenAt = sentAt;
    state.gapSince = undefined;
    for (const fn of [...onProof]) fn(sentAt);
    if (since !== undefined) for (const fn of [...onGap]) fn(since);
  }

  function connected(nc: NatsConnection): void {
    state.up = true;
    state.connects++;
    state.gapSince ??= state.provenAt;
    for (const fn of [...onConnect]) fn(nc);
    if (state.connects > 1) for (const fn of [...onReconnect]) fn();
    proof.connected(pingedBy(nc));
  }

  function lose(): void {
    state.up = false;
    proof.lost();
    for (const fn of [...onLoss]) fn();
  }

  async function attempt(): Promise<boolean> {
    try {
      const nc = await connectOnce(options);
      state.nc = nc;
      void follow(nc);
      connected(nc);
      return true;
    } catch (error) {
      options.log.warn({ error }, 'failed to connect to NATS; will retry');
      return false;
    }
  }

  async function follow(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') lose();
      if (type === 'reconnect') connected(nc);
      if (type === 'disconnect' || type === 'reconnect')
        options.log.warn({ event: type }, 'NATS connection changed');
    }
  }

  async function keepTrying(): Promise<void> {
    do await delay(RETRY_MS);
    while (!state.closed && !(await attempt()));
    if (state.closed) await state.nc?.close();
  }

  const first = await attempt();
  const trying = first ? undefined : keepTrying();
  const leave = <T>(set: Set<T>, fn: T) => (set.add(fn), () => void set.delete(fn));
  const closing = new Set<() => void>();
  const current = (): NatsConnection | undefined => (state.up && !state.closed ? state.nc : undefined);
  return {
    current,
    whenUp: (signal) => untilUp({ current, closed: () => state.closed, onConnect, closing, signal }),
    unlessLost(request) {
      const nc = current();
      return nc ? unlessCalled(request(nc), onLoss) : Promise.reject(connectionLost());
    },
    onConnect(fn) {
      const nc = current();
      if (nc) fn(nc);
      return leave(onConnect, fn);
    },
    onReconnect: (fn) => leave(onReconnect, fn),
    onGap: (fn) => leave(onGap, fn),
    onProof: (fn) => leave(onProof, fn),
    async close() {
      state.closed = true;
      for (const fn of [...closing]) fn();
      await trying;
      stopWatch();
      if (state.nc && state.up) await drain(state.nc, options.log);
      await state.nc?.close();
    },
  };
}

// On a dead connection drain() would never end.
async function drain(nc: NatsConnection, log: Logger): Promise<void> {
  const drained = nc
    .drain()
    .catch((error: unknown) => log.warn({ error }, 'failed to drain NATS connection'));
  const waited = new AbortController();
  await Promise.race([drained, delay(DRAIN_MS, undefined, { signal: waited.signal }).catch(() => undefined)]);
  waited.abort();
}

type Transported = NatsConnection & { protocol: { transport: { close(): Promise<void> } } };

function isTransported(nc: NatsConnection): nc is Transported {
  return 'protocol' in nc;
}

function pingedBy(nc: NatsConnection): Pinged {
  return {
    ping: () => nc.flush(),
    received: () => nc.stats().inMsgs,
    // nc.reconnect() first sends everything written, which never ends on a dead connection whose buffers are full.
    drop: () =>
      void (isTransported(nc) ? nc.protocol.transport.close() : nc.reconnect()).catch(() => undefined),
  };
}

// The client's own time limit starts only when the name is resolved: without this one a start, and a stop, would wait for
// name servers that do not answer.
function connectOnce(options: { url: string; name: string }): Promise<NatsConnection> {
  const servers = options.url.split(',');
  const limit = RESOLVE_MS + CONNECT_MS * servers.length;
  const connecting = openConnection({ servers, name: options.name });
  return new Promise((resolve, reject) => {
    const cancel = startTimeout(limit, () => {
      reject(new Error(`not connected within ${limit} ms`));
      connecting.then((nc) => nc.close()).catch(() => undefined);
    });
    connecting.then(resolve, reject).finally(cancel);
  });
}

function openConnection(given: { servers: string[]; name: string }): Promise<NatsConnection> {
  return connect({
    ...given,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: 100,
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    noAsyncTraces: true,
  });
}

// Promise.race with one promise for the loss would retain a callback for every request ever made.
function unlessCalled<T>(work: Promise<T>, callbacks: Set<() => void>): Promise<T> {
  return new Promise((resolve, reject) => {
    const lost = (): void => reject(connectionLost());
    callbacks.add(lost);
    work.then(resolve, reject).finally(() => callbacks.delete(lost));
  });
}

function connectionLost(): ConnectError {
  return new ConnectError('NATS is not connected', Code.Unavailable);
}

type Waiting = {
  current(): NatsConnection | undefined;
  closed(): boolean;
  onConnect: Set<(nc: NatsConnection) => void>;
  closing: Set<() => void>;
  signal: AbortSignal;
};

function untilUp({
  current,
  closed,
  onConnect,
  closing,
  signal,
}: Waiting): Promise<NatsConnection | undefined> {
  const nc = current();
  if (nc || closed() || signal.aborted) return Promise.resolve(nc);
  return new Promise((resolve) => {
    const done = (up?: NatsConnection): void => {
      onConnect.delete(done);
      closing.delete(stop);
      signal.removeEventListener('abort', stop);
      resolve(up);
    };
    const stop = (): void => done();
    onConnect.add(done);
    closing.add(stop);
    signal.addEventListener('abort', stop);
  });
}
