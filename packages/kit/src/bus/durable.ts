import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  ReplayPolicy,
} from '@nats-io/jetstream';
import type { ConsumerInfo } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { BusMessage, Verdict } from './message.ts';

export type ConsumeOptions = {
  stream: string;
  /** Consumers with the same name share the messages. */
  durable: string;
  filter: string;
  /** Most messages handled at once. Default 64. */
  batch?: number;
  /** How long the first message waits for more to join its batch, for consumers whose cost matters more than their latency. Default 0. */
  lingerMs?: number;
  /** Most messages waiting in this process. Default 256. */
  maxInFlight?: number;
  /** Delays before redeliveries after `handle` threw; the last delay repeats. */
  backoffMs?: number[];
  /** Handles messages; resolves with one verdict for each, in the same order. Messages are not redelivered while it runs. */
  handle(messages: BusMessage[]): Promise<Verdict[]>;
};

/**
 * A message that is neither answered nor prolonged within this time is delivered again, even one sent into a dead connection. Milliseconds.
 */
export const ACK_WAIT_MS = 10_000;
const ALREADY_EXISTS = new Set([10013, 10148]);

/** Creates the durable consumer: servers from 2.10 on refuse to add an existing one with other options, older servers change it. */
export async function makeConsumer(nc: NatsConnection, options: ConsumeOptions): Promise<ConsumerInfo> {
  const { consumers } = await jetstreamManager(nc, { checkAPI: false });
  const { durable_name, ...config } = consumerConfig(options);
  try {
    return await consumers.add(options.stream, { durable_name, ...config });
  } catch (error) {
    if (!(error instanceof JetStreamApiError && ALREADY_EXISTS.has(error.code))) throw error;
    return consumers.update(options.stream, durable_name, config);
  }
}

/** Messages that the consumer has not received yet, plus those it has not acknowledged. */
export async function countWaiting(nc: NatsConnection, { stream, durable }: ConsumeOptions): Promise<number> {
  const { consumers } = await jetstreamManager(nc, { checkAPI: false });
  const { num_pending: pending, num_ack_pending: unacknowledged } = await consumers.info(stream, durable);
  return pending + unacknowledged;
}

function consumerConfig({ durable, filter, maxInFlight = 256 }: ConsumeOptions) {
  return {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    max_deliver: -1,
    // Shared by all processes. Messages waiting for redelivery count, too, and must not stop the rest.
    max_ack_pending: Math.max(4096, 8 * maxInFlight),
  };
}
