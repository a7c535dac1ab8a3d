import { backoff, spread } from '../../flow/backoff.ts';
import { status, type Client as GrpcClient, type Metadata } from '@grpc/grpc-js';
import { startTimeout } from '../../runtime/clock/index.ts';
import { detach } from '../../runtime/request-context.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { preferredOf, seedOf } from './preferred-replica.ts';
import { entriesOf, listOf, REFRESH_MS, resolveAll, type Entry, type HostPort } from '../resolver.ts';
import { cancel, hasRoom, openStream, retire, type Stream } from './stream.ts';

/** The multiplexing streams of a channel: one to each server, reopened whenever it ends. */
export type Links = {
  /** Maps an integer to a server, identically for all clients; undefined until the servers are known. */
  preferredReplica(number: number): string | undefined;
  /**
   * A stream that accepts a call now: the given server's, or else the next server's in rotation. A server that let a call's deadline pass
   * and has answered nothing since comes last. The first call of this or of preferredReplica opens the streams.
   */
  pick(server?: string): Stream | undefined;
  close(): void;
};

export type LinkOptions = {
  /** Address, in the format of the channel's. */
  address: string;
  /** Opens a separate connection to one server. */
  connect(target: string): GrpcClient;
  /** Metadata of the stream, which contain the secret. */
  metadata: Metadata;
  log: Logger;
  /** Age at which a stream is replaced, randomised between three and five quarters of it. Default one minute. Milliseconds. */
  maxAgeMs?: number | undefined;
};

type Link = {
  readonly target: string;
  readonly seed: number;
  stream: Stream | undefined;
  failures: number;
  /** Cancels the timer of the next opening, or of the stream's maximum age. */
  cancelTimer: () => void;
};

type State = LinkOptions & {
  readonly entries: Entry[];
  links: readonly Link[];
  /** All streams that have not ended, including retired ones. */
  readonly streams: Set<Stream>;
  /** Link that has the next turn. */
  turn: number;
  phase: 'idle' | 'running' | 'closed';
  cancelTimer: () => void;
};

const runDetached = detach();

const MAX_AGE_MS = 60_000;
const RETRIES = { firstMs: 100, longestMs: 5_000 };
/** Time until a server of the previous release, which lacks the service, is tried again. Milliseconds. */
const UNKNOWN_MS = 30_000;

export function createLinks(options: LinkOptions): Links {
  const entries = entriesOf(listOf(options.address));
  const state: State = {
    ...options,
    entries,
    links: [],
    streams: new Set(),
    turn: 0,
    phase: 'idle',
    cancelTimer: none,
  };
  return {
    preferredReplica: (number) => preferredOf(begun(state).links, number)?.target,
    pick: (server) => pick(begun(state), server),
    close: () => close(state),
  };
}

function begun(state: State): State {
  if (state.phase === 'idle') {
    state.phase = 'running';
    void runDetached(() => follow(state));
  }
  return state;
}

function pick(state: State, server: string | undefined): Stream | undefined {
  const { links } = state;
  const wanted = server === undefined ? undefined : links.find(({ target }) => target === server)?.stream;
  if (wanted && hasRoom(wanted) && !wanted.isSilent) return wanted;
  let silent: Stream | undefined;
  for (let tries = 0; tries < links.length; tries += 1) {
    state.turn = (state.turn + 1) % links.length;
    const stream = links[state.turn]?.stream;
    if (!stream || !hasRoom(stream)) continue;
    if (!stream.isSilent) return stream;
    silent ??= stream;
  }
  return silent;
}

/** Tracks the addresses of the servers. */
async function follow(state: State): Promise<void> {
  const { found } = await resolveAll(state.entries);
  if (state.phase === 'closed') return;
  const targets = new Set(found.map(toTarget));
  const gone = state.links.filter(({ target }) => !targets.has(target));
  const stay = state.links.filter(({ target }) => targets.delete(target));
  const added = [...targets].map((target): Link => ({
    target,
    seed: seedOf(target),
    stream: undefined,
    failures: 0,
    cancelTimer: none,
  }));
  state.links = [...stay, ...added];
  gone.forEach(end);
  for (const link of added) open(state, link);
  state.cancelTimer = startTimeout(REFRESH_MS, () => void follow(state));
}

function toTarget({ host, port = 443 }: HostPort): string {
  return host.includes(':') ? `ipv6:[${host}]:${port}` : `ipv4:${host}:${port}`;
}

function open(state: State, link: Link): void {
  const { log, maxAgeMs = MAX_AGE_MS } = state;
  const { target } = link;
  const stream = openStream(state.connect(target), state.metadata.clone(), {
    onOpen() {
      link.failures = 0;
      log.debug({ server: target }, 'multiplexing stream opened');
      link.cancelTimer = startTimeout(maxAgeMs * (0.75 + Math.random() / 2), () => replace(state, link));
    },
    onDraining() {
      retire(stream);
      openLater(state, link, status.UNAVAILABLE);
    },
    onEnd({ code, details }) {
      state.streams.delete(stream);
      if (link.stream !== stream) return;
      log.debug({ server: target, code, details }, 'multiplexing stream ended');
      openLater(state, link, code);
    },
  });
  link.stream = stream;
  state.streams.add(stream);
}

/** Retires the stream and opens another. Until that one accepts calls, calls are made individually. */
function replace(state: State, link: Link): void {
  const { stream } = link;
  link.cancelTimer();
  link.stream = undefined;
  if (stream) retire(stream);
  open(state, link);
}

function openLater(state: State, link: Link, code: status): void {
  link.cancelTimer();
  link.stream = undefined;
  if (state.phase === 'closed') return;
  link.failures += 1;
  link.cancelTimer = startTimeout(retryDelay(code, link.failures), () => open(state, link));
}

function retryDelay(code: status, failures: number): number {
  if (code === status.UNIMPLEMENTED) return UNKNOWN_MS;
  return spread(backoff(failures, RETRIES));
}

function end(link: Link): void {
  link.cancelTimer();
  const { stream } = link;
  link.stream = undefined;
  if (stream) retire(stream);
}

function close(state: State): void {
  state.phase = 'closed';
  state.cancelTimer();
  for (const { cancelTimer } of state.links) cancelTimer();
  state.streams.forEach(cancel);
  state.links = [];
}

function none(): void {}
