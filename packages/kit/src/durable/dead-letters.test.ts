import { create } from '@bufbuild/protobuf';
import { StringValueSchema } from '@bufbuild/protobuf/wkt';
import { createTestDatabase, startNats, until, type TestNats } from '@parley/testing';
import { connectBus, type Bus } from '../bus/index.ts';
import { createTestClock } from '../runtime/clock/index.ts';
import { CONSUMED_EVENT_TABLE_SQL, createConsumer } from './consume/index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createMetrics } from '../runtime/telemetry/metrics.ts';
import { createOutbox, OUTBOX_TABLE_SQL } from './outbox/index.ts';
import { createDatabase, type Database } from '../postgres/index.ts';

const DAY_MS = 24 * 3600_000;
const log = createLogger({ service: 'test', level: 'silent' });
let nats: TestNats;
let bus: Bus;
let db: Database;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'dead-letters-test', log });
  const stream = { name: 'EVENTS', subjects: ['event.>'], maxAgeMs: 3600_000, maxBytes: 10_000_000 };
  await bus.ensureStream({ ...stream, replicas: 1, duplicateWindowMs: 60_000 });
  const url = await createTestDatabase();
  db = createDatabase({ url, poolSize: 4, log, applicationName: 'dead-letters-test' });
  await db.execute({ text: CONSUMED_EVENT_TABLE_SQL });
  await db.execute({ text: OUTBOX_TABLE_SQL });
});
afterAll(async () => {
  await db?.close();
  await bus?.close();
  await nats?.stop();
});

/** 1,200 rows that are `days` days old: more than one chunk. */
const moveToDeadLetters = async (days: number): Promise<void> => {
  const at = `now() - make_interval(days => ${days}) + interval '1 hour'`;
  await db.execute({
    text: `
      insert into dead_letter (consumer, event_id, subject, payload, error, at)
      select 'c', gen_random_uuid(), 'event.a', '', 'bad', ${at} from generate_series(1, 1200)`,
  });
  await db.execute({
    text: `
      insert into outbox_dead_letter (id, subject, live, payload, headers, created_at, error, died_at)
      select gen_random_uuid(), 'event.a', '{}', '', '{}', now(), 'bad', ${at} from generate_series(1, 1200)`,
  });
};

test('dead letters of both tables are counted, kept for 30 days, and deleted by the hour after that', async () => {
  const clock = createTestClock(Date.now());
  const metrics = createMetrics('test');
  await moveToDeadLetters(40);
  await moveToDeadLetters(30);
  const outbox = createOutbox({ db, bus, log, clock, metrics, isLogged: () => true });
  outbox.start();
  const consumer = createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'test',
    filter: 'event.>',
    schema: StringValueSchema,
    unpack: () => [{ id: 'never', event: create(StringValueSchema) }],
    appOf: undefined,
    handle: async () => undefined,
  });
  const counts = async () => {
    const text = await metrics.registry.metrics();
    const of = (name: string) => Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return [of('consumer_dead_letters'), of('outbox_dead_letters')];
  };
  const untilThereAre = (number: number) =>
    until(
      async () => {
        clock.advance(0);
        return (await counts()).every((count) => count === number) || undefined;
      },
      { withinMs: 10_000, what: `${number} dead letters are left in each table` },
    );
  await untilThereAre(1200);
  await until(
    async () => {
      clock.advance(DAY_MS / 24);
      return (await counts()).every((count) => count === 0) || undefined;
    },
    { withinMs: 10_000, what: 'the hour after the thirtieth day is over' },
  );
  await consumer.stop();
  await outbox.stop();
});
