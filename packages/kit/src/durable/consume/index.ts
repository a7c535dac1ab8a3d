import { stepsApart } from '../work/apart.ts';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { fromBinary } from '@parley/codec';
import type { Bus, BusMessage, Consumer, Verdict } from '../../bus/index.ts';
import { backoff } from '../../bus/message.ts';
import type { Clock } from '../../runtime/clock/index.ts';
import type { HandleAll } from './handle.ts';
import { createSettler, settleAlone, settleTogether, type Delivery, type Settler } from './settle.ts';
import { forgetConsumedEvents } from './table.ts';
import {
  DEAD_LETTER,
  DEAD_LETTER_RETENTION_MS,
  countDeadLetters,
  forgetDeadLetters,
} from '../dead-letters.ts';
import { every, type Job } from '../work/every.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Metrics } from '../../runtime/telemetry/metrics.ts';
import type { Database, Tx } from '../../postgres/index.ts';

export { CONSUMED_EVENT_TABLE_SQL, forgetConsumedEvents } from './table.ts';
export type { Consumer } from '../../bus/index.ts';
export type { TraceOf } from './handle.ts';

export type ConsumerOptions<Desc extends DescMessage, Event> = {
  db: Database;
  bus: Bus;
  log: Logger;
  clock: Clock;
  metrics?: Metrics;
  /** Default EVENTS. */
  stream?: string;
  /** `<service>-<reaction>`: replicas with the same name share the events. */
  durable: string;
  /** Filter: one subject, wildcards allowed. */
  filter: string;
  schema: Desc;
  /** Selects subjects whose messages this consumer handles; other messages are acknowledged unread without a trace. */
  choose?: (subjects: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Returns the events of a message, each with its id, a UUID; empty if none concerns this consumer. */
  unpack: (message: MessageShape<Desc>) => { id: string; event: Event }[];
  /**
   * Runs in the transaction that records the event as handled. It may be called again after a rollback, so it must have no effects outside
   * the transaction; calls to other services and large work belong in a work queue.
   */
  handle?: (tx: Tx, event: Event) => Promise<void>;
  /**
   * Replaces `handle`: handles all events of a transaction at once, in order. A consumer whose rows are locked by other transactions, too,
   * writes them here, table by table, in key order.
   */
  handleAll?: HandleAll<Event>;
  /**
   * Returns the application of an event. Events of deleted applications (app_tombstone) are dropped, so that a late event adds no rows.
   * Undefined: events belong to no application, or are handled regardless.
   */
  appOf: ((event: Event) => string) | undefined;
  /** Messages handled in one transaction. Default 64. */
  batch?: number;
  lingerMs?: number;
  maxInFlight?: number;
  /** Default 8. */
  maxFailures?: number;
  /** Delays before the second, third, … attempt; the last one repeats. */
  backoffMs?: number[];
};

const RETENTION_MS = 14 * 24 * 3600_000;
const HOUR_MS = 3600_000;

type Reaction<Desc extends DescMessage, Event> = {
  readonly options: ConsumerOptions<Desc, Event>;
  readonly settler: Settler<Event>;
};

/**
 * Events are delivered at least once and handled once: the transaction with the handler's writes also records the event as handled. Events
 * of a batch share a transaction; when it fails, each gets its own, so that a bad event fails alone. An event whose `maxFailures`-th
 * delivery fails with an error that is not transient becomes a dead letter, kept for 30 days in the table dead_letter. Repeats after more
 * than 14 days are not recognised.
 */
export function createConsumer<Desc extends DescMessage, Event>(
  options: ConsumerOptions<Desc, Event>,
): Consumer {
  const reaction = reactionOf(options);
  return start([reaction], (messages) => handleChosen(reaction, messages));
}

/**
 * A consumer whose messages are divided among several databases, each of which records the messages it has handled. `cells`: one entry per
 * database, identical except for the database itself. `cellOf`: the index of the database for a message's subject; while it fails, the
 * message is tried again.
 */
export function createDividedConsumer<Desc extends DescMessage, Event>(
  cells: readonly ConsumerOptions<Desc, Event>[],
  cellOf: (subject: string) => Promise<number>,
): Consumer {
  const reactions = cells.map(reactionOf);
  return start(reactions, async (messages) => {
    const verdicts = new Array<Verdict>(messages.length);
    const chosen = await Promise.all(
      messages.map(({ subject }) => cellOf(subject).catch((error: unknown) => ({ error }))),
    );
    await Promise.all(
      [...Map.groupBy(messages.keys(), (index) => chosen[index]!)].map(async ([cell, indexes]) => {
        const own = indexes.map((index) => messages[index]!);
        const answers =
          typeof cell === 'number'
            ? await handleChosen(reactions[cell]!, own)
            : own.map((message) => undivided(reactions[0]!, message, cell.error));
        for (const [at, index] of indexes.entries()) verdicts[index] = answers[at]!;
      }),
    );
    return verdicts;
  });
}

function undivided<Desc extends DescMessage, Event>(
  { options }: Reaction<Desc, Event>,
  { deliveries, subject }: BusMessage,
  error: unknown,
): Verdict {
  options.log.warn({ error, subject }, 'failed to find the cell of a message; will try again');
  return { retryInMs: backoff(deliveries, options.backoffMs) };
}

function reactionOf<Desc extends DescMessage, Event>(
  given: ConsumerOptions<Desc, Event>,
): Reaction<Desc, Event> {
  const options = { ...given, log: given.log.child({ consumer: given.durable }) };
  return { options, settler: createSettler(options) };
}

function start<Desc extends DescMessage, Event>(
  reactions: readonly Reaction<Desc, Event>[],
  handle: (messages: BusMessage[]) => Promise<Verdict[]>,
): Consumer {
  const consumer = startConsuming(reactions[0]!, handle);
  for (const { options } of reactions) observeDeadLetters(options);
  observeWaiting(reactions[0]!.options, consumer);
  const retentions = reactions.map(({ options }) => startRetention(options, options.log));
  return {
    waiting: () => consumer.waiting(),
    async stop() {
      await consumer.stop();
      await Promise.all(retentions.map((retention) => retention.stop()));
    },
  };
}

function observeDeadLetters({
  db,
  metrics,
}: Pick<ConsumerOptions<DescMessage, unknown>, 'db' | 'metrics'>): void {
  metrics?.reading({
    name: 'consumer_dead_letters',
    help: 'Events in dead_letter',
    read: () => countDeadLetters(db, DEAD_LETTER),
  });
}

function observeWaiting(
  { durable, metrics }: Pick<ConsumerOptions<DescMessage, unknown>, 'durable' | 'metrics'>,
  consumer: Consumer,
): void {
  metrics?.reading({
    name: 'consumer_waiting',
    help: 'Messages that a consumer has not handled, by consumer.',
    labels: { consumer: durable },
    read: () => consumer.waiting(),
  });
}

function startConsuming<Desc extends DescMessage, Event>(
  reaction: Reaction<Desc, Event>,
  handle: (messages: BusMessage[]) => Promise<Verdict[]>,
): Consumer {
  const {
    bus,
    durable,
    filter,
    stream = 'EVENTS',
    batch,
    lingerMs,
    maxInFlight,
    backoffMs,
  } = reaction.options;
  return bus.consume({
    stream,
    durable,
    filter,
    ...(batch && { batch }),
    ...(lingerMs && { lingerMs }),
    ...(maxInFlight && { maxInFlight }),
    ...(backoffMs && { backoffMs }),
    handle,
  });
}

function startRetention({ db, clock }: { db: Database; clock: Clock }, log: Logger): Job {
  return every({
    db,
    log,
    clock,
    name: 'consumed-event-retention',
    intervalMs: HOUR_MS,
    run: () =>
      stepsApart([
        () => forgetConsumedEvents(db, clock.now() - RETENTION_MS),
        () => forgetDeadLetters({ db, log }, DEAD_LETTER, clock.now() - DEAD_LETTER_RETENTION_MS),
      ]),
  });
}

async function handleChosen<Desc extends DescMessage, Event>(
  reaction: Reaction<Desc, Event>,
  messages: BusMessage[],
): Promise<Verdict[]> {
  const { choose } = reaction.options;
  if (!choose) return handleBatch(reaction, messages);
  const chosen = await choose([...new Set(messages.map(({ subject }) => subject))]);
  const own = messages.filter(({ subject }) => chosen.has(subject));
  if (own.length === 0) return messages.map(() => 'ack');
  const verdicts = (await handleBatch(reaction, own)).values();
  return messages.map(({ subject }) => (chosen.has(subject) ? verdicts.next().value! : 'ack'));
}

async function handleBatch<Desc extends DescMessage, Event>(
  reaction: Reaction<Desc, Event>,
  messages: BusMessage[],
): Promise<Verdict[]> {
  const { settler, options } = reaction;
  const deliveries = messages.map((message) => open(options, message));
  if (await settleTogether(settler, deliveries)) return deliveries.map(() => 'ack');
  const verdicts: Verdict[] = [];
  for (const delivery of deliveries) verdicts.push(await handleAlone(reaction, delivery));
  return verdicts;
}

async function handleAlone<Desc extends DescMessage, Event>(
  { settler, options }: Reaction<Desc, Event>,
  delivery: Delivery<Event>,
): Promise<Verdict> {
  const { maxFailures = 8, backoffMs } = options;
  const { deliveries } = delivery.message;
  const isSettled = !settler.isOutage && (await settleAlone(settler, delivery, deliveries >= maxFailures));
  return isSettled ? 'ack' : { retryInMs: backoff(deliveries, backoffMs) };
}

function open<Desc extends DescMessage, Event>(
  { schema, unpack }: ConsumerOptions<Desc, Event>,
  message: BusMessage,
): Delivery<Event> {
  try {
    return { message, events: unpack(fromBinary(schema, message.payload)) };
  } catch (error) {
    return { message, events: [], unreadable: error };
  }
}
