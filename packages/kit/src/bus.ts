import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import {
  headers,
  RequestError,
  type MsgHdrs,
  type NatsConnection,
  type Subscription as NatsSubscription,
} from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import { startConsumer, type Consumer } from './bus/consumer.ts';
import type { ConsumeOptions } from './bus/durable.ts';
import { openLink, type Link } from './bus/link.ts';
import { watchPayloadLimit } from './bus/payload-limit.ts';
import { createStreams, type StreamOptions } from './bus/streams.ts';
import { createUnproven } from './bus/unproven.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

export type { Consumer } from './bus/consumer.ts';
export type { ConsumeOptions } from './bus/durable.ts';
export type { BusMessage, Verdict } from './bus/message.ts';
export type { StreamOptions } from './bus/streams.ts';

export type Subscription = { close(): void };
export type PublishOptions = { msgId: string; headers?: Record<string, string> };
export type LiveOptions = {
  /** Sent again on each new connection until the server has answered a ping sent after it; default: at most once. */
  untilProven?: boolean;
};
export type LiveHandler = (payload: Uint8Array, subject: string) => void;

export type Bus = {
  /** Resolves when the stream exists as described, or at once while there is no connection. A stream that is lost is created again. */
  ensureStream(options: StreamOptions): Promise<void>;
  /** Creation time of the stream, as the server writes it. Rejects without a stream or a connection. */
  streamMadeAt(name: string): Promise<string>;
  /**
   * Resolves when the message is stored. Rejects with Unavailable, with ResourceExhausted while the stream accepts no messages
   * (it is full, the server has no room or no leader), with InvalidArgument when the stream refuses this message alone, and
   * with OutOfRange when the message is larger than the server accepts.
   */
  publish(subject: string, payload: Uint8Array, options: PublishOptions): Promise<void>;
  /** Sends to the current subscribers. Never throws: a message that cannot be sent is dropped and counted. */
  publishLive(subject: string, payload: Uint8Array, options?: LiveOptions): void;
  subscribeLive(subject: string, handler: LiveHandler): Subscription;
  consume(options: ConsumeOptions): Consumer;
  onReconnect(fn: () => void): Subscription;
  /**
   * Calls `fn` after each connect, once the subscriptions are in force: live messages published from `since` on may have been
   * missed. `since` is a time by `performance.now()` from before the loss of the connection, or before its backlog.
   */
  onGap(fn: (since: number) => void): Subscription;
  readonly connected: boolean;
  /** Whether the server accepts the largest message (`largestMessage`); true without a connection. */
  readonly takesLargest: boolean;
  /** Number of live messages that were dropped. */
  readonly dropped: number;
  /** Resolves when the server has received everything sent so far. */
  flush(): Promise<void>;
  /** Sends all pending messages, then closes; stop the consumers first. */
  close(): Promise<void>;
};

const PUBLISH_TIMEOUT_MS = 5000;
/** JetStream's status for a refused message; a full stream answers 503. */
const BAD_REQUEST = 400;
/** JetStream's errors of that status that concern all messages nevertheless: the account's limits, a sealed stream. */
const STREAM_WIDE: ReadonlySet<number> = new Set([10002, 10109]);

/** Connects to a NATS server with JetStream; reconnects without end whenever the connection is lost. */
export async function connectBus(options: {
  url: string;
  name: string;
  log: Logger;
  metrics?: Metrics;
  /** Bytes of the largest payload that is ever published. Default: not checked. */
  largestMessage?: number;
}): Promise<Bus> {
  const { log } = options;
  const link = await openLink(options);
  const limit = watchPayloadLimit(link, options.largestMessage ?? 0, log);
  const streams = createStreams(link, log);
  const droppedMetric = options.metrics?.counter({
    name: 'bus_live_dropped_total',
    help: 'Live messages not sent',
  });
  const storing = createPublisher(link);
  let dropped = 0;
  const drop = (): void => {
    dropped++;
    droppedMetric?.inc();
  };
  const unproven = createUnproven({ now: () => performance.now(), dropped: drop });
  link.onProof((sentAt) => unproven.proven(sentAt));
  link.onConnect(() => {
    for (const { subject, payload } of unproven.again()) send(subject, payload);
  });
  /** False when the message was not written. */
  function send(subject: string, payload: Uint8Array): boolean {
    try {
      const nc = link.current();
      if (!nc || !limit.takes(payload)) return false;
      nc.publish(subject, payload);
      return true;
    } catch (error) {
      log.error({ error, subject }, 'failed to send live message; dropped');
      return false;
    }
  }
  return {
    ensureStream: (stream) => streams.ensure(stream),
    streamMadeAt: (name) => streams.madeAt(name),
    async publish(subject, payload, publishing) {
      limit.check(payload);
      await storing(subject, payload, publishing).catch((error: unknown) => {
        if (nobodyStores(error)) void streams.repair();
        throw publishError(error);
      });
    },
    publishLive(subject, payload, { untilProven = false } = {}) {
      const isKept = untilProven && limit.takes(payload);
      if (isKept) unproven.add({ subject, payload });
      if (!send(subject, payload) && !isKept) drop();
    },
    subscribeLive: (subject, handler) => subscribeLive({ link, log, subject, handler }),
    consume: (consuming) => startConsumer(link, streams, consuming, log),
    onReconnect: (fn) => ({ close: link.onReconnect(fn) }),
    onGap: (fn) => ({ close: link.onGap(fn) }),
    get connected() {
      return link.current() !== undefined;
    },
    get takesLargest() {
      return limit.isLargeEnough();
    },
    get dropped() {
      return dropped;
    },
    flush: async () => link.current()?.flush(),
    close: () => link.close(),
  };
}

type Publish = (subject: string, payload: Uint8Array, options: PublishOptions) => Promise<void>;

function createPublisher(link: Link): Publish {
  let js: JetStreamClient | undefined;
  return async (subject, payload, { msgId, headers: fields }) => {
    const publishing = {
      msgID: msgId,
      timeout: PUBLISH_TIMEOUT_MS,
      ...(fields && { headers: toHeaders(fields) }),
    };
    await link.unlessLost((nc) => (js ??= jetstream(nc)).publish(subject, payload, publishing));
  };
}

// No stream accepts the subject: the stream was deleted, or the server lost its files.
function nobodyStores(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();
}

function publishError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const message = `event not stored: ${error instanceof Error ? error.message : String(error)}`;
  return new ConnectError(message, codeOf(error), undefined, undefined, error);
}

function codeOf(error: unknown): Code {
  if (!(error instanceof JetStreamApiError)) return Code.Unavailable;
  const isOfMessage = error.status === BAD_REQUEST && !STREAM_WIDE.has(error.code);
  return isOfMessage ? Code.InvalidArgument : Code.ResourceExhausted;
}

function toHeaders(fields: Record<string, string>): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(fields)) result.set(name, value);
  return result;
}

type SubscribeOptions = { link: Link; log: Logger; subject: string; handler: LiveHandler };

// The client repeats its subscriptions after a reconnect by itself.
function subscribeLive({ link, log, subject, handler }: SubscribeOptions): Subscription {
  let subscription: NatsSubscription | undefined;
  const stopWaiting = link.onConnect((nc: NatsConnection) => {
    subscription ??= nc.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          handler(message.data, message.subject);
        } catch (failure) {
          log.error({ error: failure, subject }, 'failed to handle live message; dropped');
        }
      },
    });
  });
  return {
    close() {
      stopWaiting();
      subscription?.unsubscribe();
    },
  };
}
