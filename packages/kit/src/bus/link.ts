import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';

const RETRY_MS = 250;

/** A connection that comes back by itself, for as long as the process lives. */
export type Link = {
  /** Undefined while there is no connection. */
  current(): NatsConnection | undefined;
  /** Resolves once there is a connection, with undefined once the link is closed or the signal aborts. */
  whenUp(signal: AbortSignal): Promise<NatsConnection | undefined>;
  /**
   * What the request gives, or Unavailable as soon as the connection is lost: no answer comes after that. It is not
   * begun while there is no connection.
   */
  unlessLost<T>(request: (nc: NatsConnection) => Promise<T>): Promise<T>;
  /** Calls `fn` after each connect, the first one included; the result ends that. */
  onConnect(fn: (nc: NatsConnection) => void): () => void;
  /** Calls `fn` after each connect but the first; the result ends that. */
  onReconnect(fn: () => void): () => void;
  close(): Promise<void>;
};

type State = { nc?: NatsConnection; up: boolean; connects: number; closed: boolean };

/** Resolves after the first attempt, whether it succeeded or not: a service starts before its NATS server. */
export async function openLink(options: { url: string; name: string; log: Logger }): Promise<Link> {
  const state: State = { up: false, connects: 0, closed: false };
  const onConnect = new Set<(nc: NatsConnection) => void>();
  const onReconnect = new Set<() => void>();
  const onLoss = new Set<() => void>();

  function connected(nc: NatsConnection): void {
    state.up = true;
    state.connects++;
    for (const fn of [...onConnect]) fn(nc);
    if (state.connects > 1) for (const fn of [...onReconnect]) fn();
  }

  function lose(): void {
    state.up = false;
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
      options.log.warn({ error }, 'NATS cannot be reached');
      return false;
    }
  }

  async function follow(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') lose();
      if (type === 'reconnect') connected(nc);
      if (type === 'disconnect' || type === 'reconnect') options.log.warn({ event: type }, 'NATS connection');
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
    async close() {
      state.closed = true;
      for (const fn of [...closing]) fn();
      await trying;
      if (state.up) await state.nc?.drain();
      else await state.nc?.close();
    },
  };
}

function connectOnce({ url, name }: { url: string; name: string }): Promise<NatsConnection> {
  return connect({
    servers: url.split(','),
    name,
    timeout: 2000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: 100,
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    noAsyncTraces: true,
  });
}

// Not Promise.race with one promise for the loss: that would gather a reaction for every request ever made.
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
