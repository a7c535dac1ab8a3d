import {
  headers,
  type Msg,
  type NatsConnection,
  type PublishOptions,
  type Subscription as NatsSubscription,
} from '@nats-io/transport-node';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Counter, Metrics } from '../runtime/telemetry/metrics.ts';
import { currentTrace, isTracing, sampledTraceOf } from '../runtime/telemetry/tracing.ts';
import type { Link } from './link.ts';
import type { PayloadLimit } from './payload-limit.ts';
import { createUnconfirmed, type Unconfirmed } from './unconfirmed.ts';

export type Subscription = { close(): void };
export type LiveOptions = {
  /** Whether the message is sent again on each new connection until the server has answered a later ping; default: sent at most once. */
  untilConfirmed?: boolean;
  /** The sampled `traceparent` of the cause of the message. Default: that of the current span. */
  trace?: string;
};
export type SubscribeOptions = {
  /** Each message reaches one of the subscribers of a group; default: every subscriber. */
  group?: string;
};
/** `trace`: the sampled `traceparent` of the message; absent without tracing. */
export type LiveHandler = (payload: Uint8Array, subject: string, trace?: string) => void;

/** Live messages over core NATS. */
export type Live = {
  publish(subject: string, payload: Uint8Array, options?: LiveOptions): void;
  subscribe(subject: string, handler: LiveHandler, options?: SubscribeOptions): Subscription;
  /** Number of messages that were dropped. */
  readonly dropped: number;
};

type Opened = { link: Link; limit: PayloadLimit; log: Logger; metrics?: Metrics };
type State = Omit<Opened, 'metrics'> & {
  readonly unconfirmed: Unconfirmed;
  readonly droppedMetric: Counter | undefined;
  dropped: number;
};

export function createLive({ link, limit, log, metrics }: Opened): Live {
  const unconfirmed = createUnconfirmed({ now: () => performance.now(), dropped: () => drop(state) });
  const droppedMetric = metrics?.counter({ name: 'bus_live_dropped_total', help: 'Live messages not sent' });
  const state: State = { link, limit, log, unconfirmed, droppedMetric, dropped: 0 };
  link.onConfirmed((sentAt) => unconfirmed.confirmed(sentAt));
  link.onConnect(() => {
    for (const { subject, payload } of unconfirmed.again()) send(state, subject, payload);
  });
  return {
    publish(subject, payload, options) {
      const isKept = options?.untilConfirmed === true && limit.takes(payload);
      if (isKept) unconfirmed.add({ subject, payload });
      if (!send(state, subject, payload, options?.trace) && !isKept) drop(state);
    },
    subscribe: (subject, handler, options) => subscribe(state, { subject, handler, ...options }),
    get dropped() {
      return state.dropped;
    },
  };
}

function drop(state: State): void {
  state.dropped += 1;
  state.droppedMetric?.inc();
}

/** False when the message was not written. */
function send({ link, limit, log }: State, subject: string, payload: Uint8Array, trace?: string): boolean {
  try {
    const nc = link.current();
    if (!nc || !limit.takes(payload)) return false;
    if (isTracing()) nc.publish(subject, payload, tracedBy(trace ?? currentTrace()));
    else nc.publish(subject, payload);
    return true;
  } catch (error) {
    log.error({ error, subject }, 'failed to send live message; dropped');
    return false;
  }
}

function tracedBy(trace: string | undefined): PublishOptions | undefined {
  if (trace === undefined) return undefined;
  const fields = headers();
  fields.set('traceparent', trace);
  return { headers: fields };
}

function traceOf(message: Msg): string | undefined {
  return message.headers && sampledTraceOf({ traceparent: message.headers.get('traceparent') });
}

// The client restores its subscriptions after a reconnect.
function subscribe(
  { link, log }: State,
  { subject, handler, group }: SubscribeOptions & { subject: string; handler: LiveHandler },
): Subscription {
  let subscription: NatsSubscription | undefined;
  const stopWaiting = link.onConnect((nc: NatsConnection) => {
    subscription ??= nc.subscribe(subject, {
      ...(group !== undefined && { queue: group }),
      callback: (error, message) => {
        try {
          if (error) throw error;
          if (isTracing()) handler(message.data, message.subject, traceOf(message));
          else handler(message.data, message.subject);
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
