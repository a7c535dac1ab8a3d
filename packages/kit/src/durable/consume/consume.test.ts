import { create, toBinary } from '@bufbuild/protobuf';
import { StringValueSchema, type StringValue } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { createTestDatabase, startNats, startPostgres, until, type TestNats } from '@parley/testing';
import { rm } from 'node:fs/promises';
import { v7 as uuidv7 } from 'uuid';
import { connectBus, type Bus } from '../../bus/index.ts';
import { createTestClock } from '../../runtime/clock/index.ts';
import {
  CONSUMED_EVENT_TABLE_SQL,
  createConsumer,
  forgetConsumedEvents,
  type ConsumerOptions,
} from './index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createDatabase, type Database, type Tx } from '../../postgres/index.ts';
import { currentContext } from '../../runtime/request-context.ts';

type Event = { id: string; name: string };

const log = createLogger({ service: 'test', level: 'silent' });
let nats: TestNats;
let bus: Bus;
let db: Database;
let databaseUrl: string;
let closing: (() => Promise<void>)[];

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());
beforeEach(async () => {
  databaseUrl = await createTestDatabase();
  db = await open(databaseUrl);
  bus = await connectBus({ url: nats.url, name: 'consume-test', log });
  await bus.ensureStream({
    name: 'EVENTS',
    subjects: ['event.>'],
    maxAgeMs: 3600_000,
    maxBytes: 10_000_000,
    replicas: 1,
    duplicateWindowMs: 60_000,
  });
  closing = [() => db.close(), () => bus.close()];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await nats.kill();
  await rm(nats.storeDir, { recursive: true, force: true });
  await nats.restart();
});

async function open(url: string): Promise<Database> {
  const database = createDatabase({ url, poolSize: 4, log, applicationName: 'consume-test' });
  await database.execute({ text: CONSUMED_EVENT_TABLE_SQL });
  await database.execute({ text: 'create table effect (name text not null)' });
  return database;
}

const event = (name: string): Event => ({ id: uuidv7(), name });
const record = (tx: Tx, { name }: Event) =>
  tx.execute({ text: 'insert into effect values ($1)', values: [name] });
const effects = async (): Promise<string[]> =>
  (await db.query<{ name: string }>({ text: 'select name from effect order by name' })).map(
    ({ name }) => name,
  );
const eventually = <T>(what: string, attempt: () => T | undefined | Promise<T | undefined>) =>
  until(attempt, { withinMs: 15_000, what });
const done = (...names: string[]) =>
  eventually(
    `the effects of ${names}`,
    async () => (await effects()).join() === names.toSorted().join() || undefined,
  );

// Sends one message with these events.
async function send(events: Event[], msgId: string = uuidv7(), subject = 'event.a'): Promise<void> {
  const value = events.map(({ id, name }) => `${id} ${name}`).join(',');
  const payload = toBinary(StringValueSchema, create(StringValueSchema, { value }));
  await bus.publish(subject, payload, {
    msgId,
    headers: { 'x-request-id': `request of ${events[0]?.name}` },
  });
}

function eventsOf({ value }: StringValue): { id: string; event: Event }[] {
  return value.split(',').map((text) => {
    const [id = '', name = ''] = text.split(' ');
    return { id, event: { id, name } };
  });
}

type Options = Partial<ConsumerOptions<typeof StringValueSchema, Event>>;

function start(handle: (tx: Tx, event: Event) => Promise<unknown>, options: Options = {}): void {
  const consumer = createConsumer({
    db,
    bus,
    log,
    clock: createTestClock(Date.now()),
    durable: 'test-effects',
    filter: 'event.>',
    schema: StringValueSchema,
    unpack: eventsOf,
    appOf: undefined,
    handle: async (tx, item) => void (await handle(tx, item)),
    backoffMs: [5],
    ...options,
  });
  closing.push(() => consumer.stop());
}

test('an event that comes repeatedly is handled once, in one message or in several', async () => {
  start(record);
  const [one, two, three] = [event('one'), event('two'), event('three')];
  await send([one, two, one]);
  await done('one', 'two');
  await send([two, three]);
  await send([one]);
  await send([event('zzz')]);
  await done('one', 'two', 'three', 'zzz');
});

test('an event is handled in the context of the request that led to it', async () => {
  const contexts = new Set<string>();
  start(async (tx, item) => {
    contexts.add(`${item.name} in ${currentContext()?.requestId}`);
    await record(tx, item);
  });
  const [one, two] = [event('one'), event('two')];
  await send([one, two, one]);
  await done('one', 'two');
  await send([two]);
  await send([event('zzz')]);
  await done('one', 'two', 'zzz');
  expect([...contexts]).toEqual(['one in request of one', 'two in request of one', 'zzz in request of zzz']);
});

test('a failed event is tried again and leaves no half effect', async () => {
  let tries = 0;
  start(async (tx, item) => {
    await record(tx, item);
    if (item.name === 'bad' && ++tries < 4) throw new Error('not yet');
  });
  await send([event('good'), event('bad')]);
  await done('bad', 'good');
  expect(tries).toBe(4);
});

test('a poison event goes to dead_letter alone, at its last delivery', async () => {
  const names: string[] = [];
  start(async (tx, item) => {
    names.push(item.name);
    if (item.name === 'poison') throw new Error('never');
    await record(tx, item);
  });
  const poison = event('poison');
  await Promise.all([send([event('a'), poison, event('b')]), send([event('c')])]);
  const [letter] = await eventually('the dead letter', async () => {
    const rows = await db.query<Record<string, unknown>>({ text: 'select * from dead_letter' });
    return rows.length > 0 ? rows : undefined;
  });
  expect(letter).toMatchObject({ consumer: 'test-effects', event_id: poison.id, subject: 'event.a' });
  expect(letter!.error).toContain('never');
  expect(Buffer.from(letter!.payload as Uint8Array).toString()).toContain(poison.id);
  await done('a', 'b', 'c');
  // Eight deliveries, plus one for each batch that failed as a whole.
  const tries = names.filter((name) => name === 'poison').length;
  expect(tries).toBeGreaterThanOrEqual(8);
  expect(tries).toBeLessThanOrEqual(16);
  await send([poison, event('d')]);
  await done('a', 'b', 'c', 'd');
  expect(names.filter((name) => name === 'poison')).toHaveLength(tries);
});

test('an event that fails with a transient error never becomes a dead letter', async () => {
  let tries = 0;
  start(
    async (tx, item) => {
      if (++tries < 6) throw new ConnectError('away', Code.Unavailable);
      await record(tx, item);
    },
    { maxFailures: 2 },
  );
  await send([event('patient')]);
  await done('patient');
  expect(await db.query({ text: 'select from dead_letter' })).toEqual([]);
});

test('a message that cannot be decoded goes to dead_letter at once, and the messages around it are handled', async () => {
  start(record);
  await Promise.all([
    bus.publish('event.a', Buffer.from([0xff, 0xff]), { msgId: 'garbage' }),
    send([event('readable')]),
  ]);
  await done('readable');
  await eventually('the dead letter', async () => {
    const rows = await db.query<{ event_id: string }>({ text: 'select event_id from dead_letter' });
    return rows[0]?.event_id === 'garbage' || undefined;
  });
});

test('handlers run with the request id of the event', async () => {
  const requests: (string | undefined)[] = [];
  start(async (tx, item) => {
    requests.push(currentContext()?.requestId);
    await record(tx, item);
  });
  await Promise.all([send([event('a')]), send([event('b')])]);
  await done('a', 'b');
  expect(requests.toSorted()).toEqual(['request of a', 'request of b']);
});

test('events wait while Postgres is unavailable', async () => {
  const server = await startPostgres();
  await db.close();
  db = await open(server.url);
  start(record, { db });
  await send([event('before')]);
  await done('before');
  await server.kill();
  await send([event('one'), event('two')]);
  await send([event('three')]);
  await server.restart();
  await done('before', 'one', 'two', 'three');
  expect(await db.query({ text: 'select from dead_letter' })).toEqual([]);
});

test('replicas of a consumer handle each event once', async () => {
  const other = await connectBus({ url: nats.url, name: 'other', log });
  closing.push(() => other.close());
  start(record);
  start(record, { bus: other });
  const events = Array.from({ length: 100 }, (_, i) => event(`e${i}`));
  await Promise.all([...events, ...events].map((item) => send([item])));
  await done(...events.map(({ name }) => name));
});

test('handled events are forgotten after fourteen days', async () => {
  const add = `insert into consumed_event (consumer, event_id, at)
    select 'c', gen_random_uuid(), now() - make_interval(days => days) from generate_series(1, 20) as days`;
  await db.execute({ text: add });
  expect(await forgetConsumedEvents(db, Date.now() - 14.5 * 86_400_000)).toBe(6);
  expect(await db.query({ text: 'select count(*) as n from consumed_event' })).toEqual([{ n: 14 }]);
});

test('messages of other subjects than the chosen ones leave no trace', async () => {
  const asked: string[] = [];
  start(record, {
    choose: async (subjects) => {
      asked.push(...subjects);
      return new Set(subjects.filter((subject) => subject === 'event.a'));
    },
  });
  await send([event('passed over')], uuidv7(), 'event.b');
  await send([event('one'), event('two')]);
  await done('one', 'two');
  expect(new Set(asked)).toEqual(new Set(['event.a', 'event.b']));
  expect(await db.query({ text: 'select from consumed_event' })).toHaveLength(2);
});

test('a choice that fails is repeated later', async () => {
  let failures = 0;
  start(record, {
    choose: async (subjects) => {
      if (failures++ === 0) throw new ConnectError('gone for now', Code.Unavailable);
      return new Set(subjects);
    },
  });
  await send([event('one')]);
  await done('one');
  expect(failures).toBeGreaterThan(1);
});
