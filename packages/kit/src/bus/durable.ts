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
  /** Consumers of the same name share the messages. */
  durable: string;
  filter: string;
  /** As many at most are handled at once. Default 64. */
  batch?: number;
  /** The first of a batch waits this long for others to join it: what is nobody's latency need not cost a transaction each. Default 0. */
  lingerMs?: number;
  /** As many at most wait in this process. Default 256. */
  maxInFlight?: number;
  /** Delays before repeated deliveries of what `handle` threw on; the last one repeats. */
  backoffMs?: number[];
  /** One verdict a message, in the same order. What takes long is prolonged. */
  handle(messages: BusMessage[]): Promise<Verdict[]>;
};

/** What is not answered or prolonged within that time is delivered again: what was sent into a dead connection, too. */
export const ACK_WAIT_MS = 10_000;
const ALREADY_EXISTS = new Set([10013, 10148]);

/** The durable consumer, as the options say: servers from 2.10 on refuse to add what is there otherwise, older ones change it. */
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

function consumerConfig({ durable, filter, maxInFlight = 256 }: ConsumeOptions) {
  return {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    max_deliver: -1,
    // Shared by all processes; what waits for a repeated delivery counts too, and must not stop the rest.
    max_ack_pending: Math.max(4096, 8 * maxInFlight),
  };
}
