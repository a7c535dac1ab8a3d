import type { NatsConnection } from '@nats-io/transport-node';

type Listeners = {
  readonly connect: Set<(nc: NatsConnection) => void>;
  readonly reconnect: Set<() => void>;
  readonly loss: Set<() => void>;
  readonly gap: Set<(since: number) => void>;
  readonly confirmed: Set<(sentAt: number) => void>;
  readonly close: Set<() => void>;
};

/** Times by `performance.now()`. */
export type LinkState = {
  nc: NatsConnection | undefined;
  isUp: boolean;
  isClosed: boolean;
  connects: number;
  /** Time at which the last answered ping was sent, or the link opened. */
  confirmedAt: number;
  /** Set from a connect until its first confirmation. */
  gapSince: number | undefined;
  readonly listeners: Listeners;
};

export function createLinkState(now: number): LinkState {
  return {
    nc: undefined,
    isUp: false,
    isClosed: false,
    connects: 0,
    confirmedAt: now,
    gapSince: undefined,
    listeners: {
      connect: new Set(),
      reconnect: new Set(),
      loss: new Set(),
      gap: new Set(),
      confirmed: new Set(),
      close: new Set(),
    },
  };
}

/** Undefined while there is no connection. */
export function currentOf({ isUp, isClosed, nc }: LinkState): NatsConnection | undefined {
  return isUp && !isClosed ? nc : undefined;
}

export function noteConnect(state: LinkState, nc: NatsConnection): void {
  const { listeners } = state;
  state.isUp = true;
  state.connects += 1;
  state.gapSince ??= state.confirmedAt;
  for (const fn of [...listeners.connect]) fn(nc);
  if (state.connects > 1) for (const fn of [...listeners.reconnect]) fn();
}

export function noteLoss(state: LinkState): void {
  state.isUp = false;
  for (const fn of [...state.listeners.loss]) fn();
}

/** Records that a ping sent at `sentAt` was answered; the first answer on a connection ends a gap. */
export function noteConfirmed(state: LinkState, sentAt: number): void {
  const { listeners, gapSince } = state;
  state.confirmedAt = sentAt;
  state.gapSince = undefined;
  for (const fn of [...listeners.confirmed]) fn(sentAt);
  if (gapSince !== undefined) for (const fn of [...listeners.gap]) fn(gapSince);
}

export function noteClose(state: LinkState): void {
  state.isClosed = true;
  for (const fn of [...state.listeners.close]) fn();
}

/** Adds a listener; the result removes it. */
export function listen<Fn>(listeners: Set<Fn>, fn: Fn): () => void {
  listeners.add(fn);
  return () => void listeners.delete(fn);
}
