import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createTestDatabase, startNats, until, type TestNats } from '@parley/testing';
import { connectBus, type Bus } from '../bus/index.ts';
import { createTestClock } from '../runtime/clock/index.ts';
import { EVENT_LOG_TABLE_SQL, logEvents, startEventLog } from './event-log.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { OUTBOX_TABLE_SQL } from './outbox/index.ts';
import { createDatabase, type Database } from '../postgres/index.ts';
import { FILLED_STREAM_TABLE_SQL, REACH_MS } from './lost-events/republish.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const clock = createTestClock(Date.UTC(2030, 0, 1));
const streamOptions = {
  name: 'EVENTS',
  subjects: ['event.>'],
  maxAgeMs: 3600_000,
  maxBytes: 50_000_000,
  replicas: 1,
  duplicateWindowMs: 60_000,
};
let nats: TestNats;
let db: Database;
let bus: Bus;
let eventLog: { stop(): Promise<void> };
/** Published messages, except those that only probe for ids. */
let published: string[];

beforeAll(async () => {
  nats = await startNats();
  db = createDatabase({ url: await createTestDatabase(), poolSize: 5, log, applicationName: 'test' });
  await db.execute({ text: EVENT_LOG_TABLE_SQL });
  await db.execute({ text: OUTBOX_TABLE_SQL });
  await db.execute({ text: FILLED_STREAM_TABLE_SQL });
  bus = await connectBus({ url: nats.url, name: 'test', log });
  await bus.ensureStream(streamOptions);
  bus.subscribeLive('event.a', (payload) => {
    if (payload.length > 0) published.push(Buffer.from(payload).toString());
  });
  published = [];
  eventLog = start();
}, 120_000);
afterAll(async () => {
  await eventLog.stop();
  await bus.close();
  await db.close();
  await nats.stop();
});

function start() {
  return startEventLog({
    ...{ db, bus, log, clock, stream: 'EVENTS', milestones: 'event.milestone' },
    render: async (events) => events.map((event) => ({ subject: 'event.a', payload: event })),
  });
}

const note = (names: string[], at: number) =>
  db.tx((tx) => logEvents(tx, names.map((name) => ({ id: randomUUID(), at, event: Buffer.from(name) })))); // prettier-ignore

async function countStored(): Promise<number> {
  const nc = await connect({ servers: nats.url });
  const { streams } = await jetstreamManager(nc);
  const { state } = await streams.info('EVENTS', { subjects_filter: 'event.a' });
  await nc.close();
  return state.subjects?.['event.a'] ?? 0;
}

const filledWith = () =>
  until(
    async () => {
      const [row] = await db.query<{ made_at: string }>({ text: 'select made_at from filled_stream' });
      const madeAt = await bus.streamMadeAt('EVENTS').catch(() => undefined);
      if (row?.made_at === madeAt) return true;
      clock.advance(5_000);
      return undefined;
    },
    { withinMs: 90_000, what: 'the stream is filled' },
  );

test('a wiped stream gets every event logged in the last seven days once, except one that is too large', async () => {
  await filledWith();
  expect(published).toEqual([]);
  // More than a page with the same time, so that pages end within it.
  const names = Array.from({ length: 1203 }, (_, index) => `event ${index}`);
  await note(names, clock.now());
  await note(['x'.repeat(8_500_000)], clock.now());
  await note(['too old'], clock.now() - REACH_MS - 3600_000);
  await nats.kill();
  await rm(nats.storeDir, { recursive: true, force: true });
  await nats.restart();
  await until(() => bus.connected || undefined, { withinMs: 60_000, what: 'the bus is back' });
  await filledWith();
  await bus.flush();
  // An interrupted refill, for example after a slow publish, starts over; the stream keeps each event once.
  expect([...new Set(published)].toSorted()).toEqual(names.toSorted());
  expect(await countStored()).toBe(names.length);
}, 240_000);

test('a refill that starts over stores no event again', async () => {
  await note(['again'], clock.now());
  await refill();
  const stored = await countStored();
  published = [];
  await refill();
  await bus.flush();
  expect(published).toContain('again');
  expect(await countStored()).toBe(stored);
}, 120_000);

/** Refills as after an interruption: without a record that the stream was filled. */
async function refill(): Promise<void> {
  await eventLog.stop();
  await db.execute({ text: 'delete from filled_stream' });
  eventLog = start();
  await filledWith();
}
