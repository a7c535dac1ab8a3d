import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createTestDatabase, keepNatsFiles, startNats, until, type TestNats } from '@parley/testing';
import { connectBus, type Bus } from '../../bus/index.ts';
import { systemClock } from '../../runtime/clock/index.ts';
import { createOutbox, OUTBOX_TABLE_SQL, type Outbox } from '../outbox/index.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { lookForLosses } from './losses.ts';
import { FILLED_STREAM_TABLE_SQL, publishAgain, startRepublishing } from './republish.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const stream = {
  ...{ name: 'EVENTS', subjects: ['event.>'], maxAgeMs: 3600_000, maxBytes: 50_000_000, replicas: 1 },
  duplicateWindowMs: 120_000,
};
const MILESTONES = 'event.milestone';
let nats: TestNats;
let bus: Bus;
/** The bus of another service that publishes to the same stream. */
let other: Bus;
let db: Database;
let outbox: Outbox;
/** Events in the service's log. */
let logged: { name: string; at: number }[];
/** Names of events in the order in which a consumer got them, with repeats. */
let consumed: string[];
let closing: (() => Promise<unknown>)[];

beforeEach(async () => {
  nats = await startNats();
  db = createDatabase({ url: await createTestDatabase(), poolSize: 5, log, applicationName: 'test' });
  for (const text of [OUTBOX_TABLE_SQL, FILLED_STREAM_TABLE_SQL]) await db.execute({ text });
  bus = await connectBus({ url: nats.url, name: 'test', log });
  other = await connectBus({ url: nats.url, name: 'other', log });
  await bus.ensureStream(stream);
  [logged, consumed] = [[], []];
  outbox = open();
  const consumer = bus.consume({
    ...{ stream: 'EVENTS', durable: 'test-all', filter: 'event.>' },
    handle: (messages) => {
      for (const { payload } of messages)
        if (payload.length > 0) consumed.push(Buffer.from(payload).toString());
      return Promise.resolve(messages.map(() => 'ack'));
    },
  });
  closing = [() => nats.stop(), () => db.close(), () => other.close(), () => bus.close(), () => consumer.stop(), () => outbox.stop()]; // prettier-ignore
  // The stream is known from now on.
  await refill();
}, 120_000);
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

function open(): Outbox {
  const isLogged = (subject: string) => subject !== 'event.unlogged';
  return createOutbox({ db, bus, log, clock: systemClock, sweepAfterMs: 0, isLogged });
}

const connected = () =>
  until(() => (bus.connected && other.connected) || undefined, { withinMs: 60_000, what: 'NATS is back' });

/** Emits events as a service does: writes them to its outbox and its log, and waits until they are published and deleted. */
async function emit(names: readonly string[], subject = 'event.a'): Promise<void> {
  await db.tx((tx) => outbox.add(tx, names.map((name) => ({ subject, payload: Buffer.from(name) })))); // prettier-ignore
  if (subject === 'event.a') logged.push(...names.map((name) => ({ name, at: Date.now() })));
  await untilStored();
}

const untilStored = () =>
  until(
    async () => {
      await outbox.sweep();
      return (await db.execute({ text: 'select from outbox' })) === 0 || undefined;
    },
    { withinMs: 60_000, what: 'nothing is left to be published' },
  );

const look = () =>
  lookForLosses({ db, bus, log, stream: 'EVENTS', milestones: MILESTONES, maxAgeMs: 3600_000 });

async function* read(since: number) {
  await setImmediate();
  const page = logged.filter(({ at }) => at >= since);
  yield page.map(({ name }) => ({ subject: 'event.a', payload: Buffer.from(name) }));
}

/** Runs the refill until it finds nothing more to check or fill. */
async function refill(): Promise<void> {
  // Otherwise it might seem to be done before the first check.
  await until(() => look().then(() => true), { withinMs: 60_000, what: 'the stream is looked at' });
  const running = startRepublishing({
    db,
    bus,
    log,
    clock: systemClock,
    stream: 'EVENTS',
    milestones: MILESTONES,
    read,
  });
  const isDone = async () => {
    const marks = await db.execute({ text: 'select from published_mark' });
    const madeAt = await bus.streamMadeAt('EVENTS').catch(() => 'unknown');
    const values = [madeAt];
    const text = 'select from filled_stream where made_at = $1 and lost_since is null';
    return (marks === 0 && (await db.execute({ text, values })) === 1) || undefined;
  };
  await until(isDone, { withinMs: 60_000, what: 'the stream is complete' });
  await running.stop();
}

const untilConsumed = (...names: string[]) =>
  until(() => names.every((name) => consumed.includes(name)) || undefined, {
    ...{ withinMs: 60_000, what: `${names.join(', ')} came` },
  });

const NAMES = ['one', 'two', 'three', 'four', 'five'];

/** Acts of the service before the files are copied, acts that are then lost, and acts before the next check. */
const LOSSES: Record<
  string,
  { before?: () => Promise<unknown>; lost: () => Promise<unknown>; after?: () => Promise<unknown> }
> = {
  'the first events': { lost: () => emit(NAMES) },
  'events that were looked after already': {
    before: () => emit(['earlier']).then(look),
    lost: () => emit(NAMES).then(look),
  },
  'events whose places others have taken since': {
    before: () => emit(['earlier']).then(look),
    lost: () => emit(NAMES),
    after: () => grow('event.other'),
  },
  'events that were looked after, and whose places others have taken since': {
    before: () => emit(['earlier']).then(look),
    lost: () => emit(NAMES).then(look),
    after: () => grow('event.other'),
  },
  'events before others that the same process has published since': {
    before: () => emit(['earlier']).then(look),
    lost: () => emit(NAMES),
    after: () => emit(Array.from({ length: 20 }, (_, index) => `later ${index}`)),
  },
  'events before others that another process has published since': {
    lost: () => emit(NAMES),
    after: async () => {
      await outbox.stop();
      outbox = open();
      await emit(Array.from({ length: 20 }, (_, index) => `later ${index}`));
    },
  },
  'events without a log': { before: () => emit(['earlier']), lost: () => emit(NAMES, 'event.unlogged') },
  'events that were published again': {
    before: () => emit(['earlier']).then(look),
    lost: async () => {
      logged.push(...NAMES.map((name) => ({ name, at: Date.now() - 600_000 })));
      const messages = NAMES.map((name) => ({ subject: 'event.a', payload: Buffer.from(name) }));
      await publishAgain({ db, bus, log }, messages, Date.now() - 600_000);
    },
  },
};

async function grow(subject: string): Promise<void> {
  for (let index = 0; index < 30; index++)
    await other.publish(subject, Buffer.from(`other ${index}`), { msgId: randomUUID() });
}

test.each(Object.entries(LOSSES))(
  'what a stream has lost comes again: %s',
  async (_, { before, lost, after }) => {
    await before?.();
    const comeBack = await keepNatsFiles(nats);
    await connected();
    await lost();
    await untilConsumed(...NAMES);
    consumed = [];
    await comeBack();
    await connected();
    await after?.();
    await refill();
    await untilConsumed(...NAMES);
  },
  240_000,
);

test('a stream that is refilled after a loss is refilled again when it loses that as well', async () => {
  await emit(['earlier']);
  await look();
  const first = await keepNatsFiles(nats);
  await connected();
  await emit(NAMES);
  await first();
  await connected();
  const second = await keepNatsFiles(nats);
  await connected();
  await refill();
  await second();
  await connected();
  consumed = [];
  await refill();
  await untilConsumed(...NAMES);
}, 240_000);

async function countStored(subject: string): Promise<number> {
  const nc = await connect({ servers: nats.url });
  const { streams } = await jetstreamManager(nc);
  const { state } = await streams.info('EVENTS', { subjects_filter: subject });
  await nc.close();
  return state.subjects?.[subject] ?? 0;
}

test('a server that is killed and has everything gets nothing again', async () => {
  await emit(NAMES);
  await look();
  await emit(['six']);
  await untilConsumed('six');
  await nats.kill();
  await nats.restart();
  await connected();
  await emit(['seven']);
  await refill();
  await emit(['eight']);
  await untilConsumed('eight');
  expect(await countStored('event.a')).toBe(NAMES.length + 3);
  expect(await db.execute({ text: 'select from filled_stream where losses > 0' })).toBe(0);
}, 240_000);
