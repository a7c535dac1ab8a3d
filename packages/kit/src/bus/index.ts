import { startConsumer, type Consumer } from './consumer.ts';
import type { NatsAccess } from './connect.ts';
import type { ConsumeOptions } from './durable.ts';
import { openLink } from './link.ts';
import {
  createLive,
  type LiveHandler,
  type LiveOptions,
  type SubscribeOptions,
  type Subscription,
} from './live.ts';
import { watchPayloadLimit } from './payload-limit.ts';
import { createPublisher, type Publish } from './publish.ts';
import { createStreams, type StreamOptions } from './streams.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';

export type { Consumer } from './consumer.ts';
export type { ConsumeOptions } from './durable.ts';
export type { LiveHandler, LiveOptions, SubscribeOptions, Subscription } from './live.ts';
export type { BusMessage, Verdict } from './message.ts';
export type { Stored } from './publish.ts';
export type { StreamOptions } from './streams.ts';

export type Bus = {
  /**
   * Resolves when the stream exists, or at once while there is no connection. A missing stream is created as described, even if it is lost
   * later; an existing one is never changed: `migrateStream` does that.
   */
  ensureStream(options: StreamOptions): Promise<void>;
  /** Deletes an ensured stream and creates it again, without its messages and consumers' positions. Rejects without a connection. */
  emptyStream(name: string): Promise<void>;
  /** Creation time of the stream, as formatted by the server. Rejects without a stream or a connection. */
  streamMadeAt(name: string): Promise<string>;
  /**
   * Resolves when the message is stored. Rejects with Unavailable, with ResourceExhausted while the stream accepts no messages (it is full,
   * or the server has no space or no leader), with InvalidArgument when the stream refuses only this message, and with OutOfRange when the
   * message is larger than the server accepts.
   */
  publish: Publish;
  /** Sends to the current subscribers. Never throws: a message that cannot be sent is dropped and counted. */
  publishLive(subject: string, payload: Uint8Array, options?: LiveOptions): void;
  subscribeLive(subject: string, handler: LiveHandler, options?: SubscribeOptions): Subscription;
  consume(options: ConsumeOptions): Consumer;
  onReconnect(fn: () => void): Subscription;
  /**
   * Calls `fn` after each connect, once the subscriptions are in force: live messages published from `since` on may have been
   * missed. `since` is a time by `performance.now()` from before the loss of the connection, or before its backlog.
   */
  onGap(fn: (since: number) => void): Subscription;
  /**
   * Calls `fn` every second or two while the server answers: live messages that the server had before `moment`, by `performance.now()`,
   * have arrived.
   */
  onConfirmed(fn: (moment: number) => void): Subscription;
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

type BusOptions = NatsAccess & {
  log: Logger;
  metrics?: Metrics;
  /** Size of the largest payload that is ever published. Default: not checked. Bytes. */
  largestMessage?: number;
};

/** Connects to a NATS server with JetStream; reconnects indefinitely. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { log, largestMessage = 0 } = options;
  const link = await openLink(options);
  const limit = watchPayloadLimit(link, largestMessage, log);
  const streams = createStreams(link, log);
  const live = createLive({ ...options, link, limit });
  return {
    ensureStream: streams.ensure,
    emptyStream: streams.empty,
    streamMadeAt: streams.madeAt,
    publish: createPublisher(link, limit, streams),
    publishLive: live.publish,
    subscribeLive: live.subscribe,
    consume: (consuming) => startConsumer(link, streams, consuming, log),
    onReconnect: (fn) => ({ close: link.onReconnect(fn) }),
    onGap: (fn) => ({ close: link.onGap(fn) }),
    onConfirmed: (fn) => ({ close: link.onConfirmed(fn) }),
    get connected() {
      return link.current() !== undefined;
    },
    get takesLargest() {
      return limit.isLargeEnough();
    },
    get dropped() {
      return live.dropped;
    },
    flush: async () => link.current()?.flush(),
    close: link.close,
  };
}
