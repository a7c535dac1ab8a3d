import { jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { startInterval } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { ACK_WAIT_MS, countWaiting, makeConsumer, type ConsumeOptions } from './durable.ts';
import type { Link } from './link.ts';
import { backoff, toBusMessage, type BusMessage, type Verdict } from './message.ts';
import type { Streams } from './streams.ts';

export type Consumer = {
  /** Unacknowledged messages of all processes. Fails with Unavailable without a connection. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
};

const RETRY_MS = 250;
/**
 * Shorter than the time until a dead connection is noticed, so that the server delivers nothing to requests of a replaced connection.
 * Milliseconds.
 */
const PULL_EXPIRES_MS = 3_000;
const CONSUMER_LOST = new Set([
  'consumer_deleted',
  'consumer_not_found',
  'stream_not_found',
  'no_responders',
  'heartbeats_missed',
]);

type State = {
  options: ConsumeOptions;
  link: Link;
  streams: Streams;
  log: Logger;
  buffer: JsMsg[];
  handled: JsMsg[];
  session: ConsumerMessages | undefined;
  stopping: AbortController;
  changed: () => void;
  change: Promise<void>;
};

/** Messages that arrive while a batch is handled form the next batch. A durable consumer that was deleted is created again. */
export function startConsumer(link: Link, streams: Streams, options: ConsumeOptions, log: Logger): Consumer {
  const state: State = {
    options,
    link,
    streams,
    log: log.child({ consumer: options.durable }),
    buffer: [],
    handled: [],
    session: undefined,
    stopping: new AbortController(),
    changed: () => undefined,
    change: Promise.resolve(),
  };
  renewChange(state);
  const leave = link.onReconnect(() => void state.session?.close());
  const stopProlonging = startInterval(ACK_WAIT_MS / 3, () => prolongAll(state));
  const loops = Promise.all([pullForever(state), workForever(state)]);
  return {
    waiting: () => link.unlessLost((nc) => countWaiting(nc, options)),
    async stop() {
      state.stopping.abort();
      leave();
      notify(state);
      void state.session?.close();
      await loops;
      stopProlonging();
      for (const message of state.buffer.splice(0)) answer(state, () => message.nak());
    },
  };
}

async function pullForever(state: State): Promise<void> {
  const { signal } = state.stopping;
  while (!signal.aborted) {
    const nc = await state.link.whenUp(signal);
    if (!nc) return;
    try {
      await pull(state, nc);
    } catch (error) {
      state.log.warn({ error }, 'consumer interrupted; will resume');
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function pull(state: State, nc: NatsConnection): Promise<void> {
  const { signal } = state.stopping;
  const most = state.options.maxInFlight ?? 256;
  await state.streams.untilThere(state.options.stream, signal);
  const info = await state.link.unlessLost(() => makeConsumer(nc, state.options));
  const session = await jetstream(nc)
    .consumers.getConsumerFromInfo(info)
    .consume({
      max_messages: state.options.batch ?? 64,
      expires: PULL_EXPIRES_MS,
      idle_heartbeat: PULL_EXPIRES_MS / 2,
      abort_on_missing_resource: true,
    });
  state.session = session;
  if (signal.aborted) void session.close();
  void closeWhenLost(session);
  for await (const message of session) {
    state.buffer.push(message);
    notify(state);
    while (state.buffer.length >= most && !signal.aborted) await state.change;
  }
}

async function closeWhenLost(session: ConsumerMessages): Promise<void> {
  for await (const { type } of session.status()) if (CONSUMER_LOST.has(type)) void session.close();
}

async function workForever(state: State): Promise<void> {
  while (!state.stopping.signal.aborted) {
    if (state.buffer.length === 0) {
      await state.change;
      continue;
    }
    await linger(state);
    state.handled = state.buffer.splice(0, state.options.batch ?? 64);
    if (state.handled.length > 0) await work(state);
  }
}

/** Waits at least one turn of the event loop, for the other messages of the same packet. */
async function linger({ options, buffer, stopping }: State): Promise<void> {
  const { lingerMs = 0, batch = 64 } = options;
  if (lingerMs === 0 || buffer.length >= batch) await setImmediate();
  else await delay(lingerMs, undefined, { signal: stopping.signal }).catch(() => undefined);
}

async function work(state: State): Promise<void> {
  notify(state);
  const { handled, options } = state;
  const verdicts = await judge(state, handled.map(toBusMessage));
  handled.forEach((message, i) => {
    const verdict = verdicts?.[i] ?? { retryInMs: backoff(message.info.deliveryCount, options.backoffMs) };
    answer(state, () => {
      if (verdict === 'ack') message.ack();
      else if (verdict === 'dead') message.term();
      else message.nak(verdict.retryInMs);
    });
  });
  state.handled = [];
}

function prolongAll({ log, handled, buffer }: State): void {
  for (const message of [...handled, ...buffer]) answer({ log }, () => message.working());
}

// If the answer cannot be sent because the connection is closed for good, the message is delivered again.
function answer({ log }: Pick<State, 'log'>, send: () => void): void {
  try {
    send();
  } catch (error) {
    log.warn({ error }, 'failed to acknowledge message; it will be redelivered');
  }
}

async function judge(state: State, messages: BusMessage[]): Promise<Verdict[] | undefined> {
  try {
    return await state.options.handle(messages);
  } catch (error) {
    state.log.error({ error }, 'failed to handle messages; will retry');
    return undefined;
  }
}

// `change` resolves at the next notify().
function notify(state: State): void {
  state.changed();
  renewChange(state);
}

function renewChange(state: State): void {
  state.change = new Promise((resolve) => (state.changed = resolve));
}
