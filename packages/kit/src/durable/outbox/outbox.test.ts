import { createTestDatabase, startNats, startTcpProxy, until, type TestNats } from '@parley/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { connectBus, type Bus } from '../../bus/index.ts';
import { createTestClock, systemClock } from '../../runtime/clock/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createOutbox, OUTBOX_TABLE_SQL, type Outbox, type OutboxOptions } from './index.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';
import { runInContext } from '../../runtime/request-context.ts';
import { createMetrics } from '../../runtime/telemetry/metrics.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let nats: TestNats;
let bus: Bus;
let url: string;
let db: Database;
let closing: (() => Promise<void>)[];

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

beforeEach(async () => {
  url = await createTestDatabase();
  db = createDatabase({ url, poolSize: 4, log, applicationName: 'outbox-test' });
  await db.execute({ text: OUTBOX_TABLE_SQL });
  await db.execute({ text: 'create table emitted (id uuid primary key)' });
  bus = await connectBus({ url: nats.url, name: 'outbox-test', log });
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
  await wipe();
});

async function wipe(): Promise<void> {
  await nats.kill();
  await rm(nats.storeDir, { recursive: true, force: true });
  await nats.restart();
}

function open(options: Partial<OutboxOptions> = {}): Outbox {
  const outbox = createOutbox({
    db,
    bus,
    log,
    clock: systemClock,
    isLogged: () => true,
    sweepAfterMs: 0,
    ...options,
  });
  closing.push(() => outbox.stop());
  return outbox;
}

const event = (name: string, live: string[] = []) => ({
  subject: 'event.a',
  payload: Buffer.from(name),
  live,
});
const pending = async (): Promise<number> =>
  (await db.query<{ n: number }>({ text: 'select count(*) as n from outbox' }))[0]!.n;
const eventually = <T>(what: string, attempt: () => T | undefined | Promise<T | undefined>) =>
  until(attempt, { withinMs: 10_000, what });
const drained = () => eventually('the outbox is empty', async () => (await pending()) === 0 || undefined);

// Everything that consumers receive, including redeliveries.
function listen(): { name: string; id: string; headers: Record<string, string> }[] {
  const got: { name: string; id: string; headers: Record<string, string> }[] = [];
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: 'listener',
    filter: 'event.>',
    async handle(messages) {
      for (const { payload, msgId, headers } of messages) {
        got.push({ name: Buffer.from(payload).toString(), id: msgId, headers });
      }
      return messages.map(() => 'ack');
    },
  });
  closing.push(() => consumer.stop());
  return got;
}

test('events are published only after the commit, and their rows are deleted', async () => {
  const outbox = open();
  const got = listen();
  const live: string[] = [];
  bus.subscribeLive('live.>', (payload, subject) => live.push(`${subject} ${Buffer.from(payload)}`));
  await bus.flush();
  await runInContext({ requestId: 'r1' }, () =>
    db.tx((tx) => outbox.add(tx, [event('one', ['live.1', 'live.2']), event('two')])),
  );
  await db.tx((tx) => outbox.add(tx, [event('three')]));
  await db
    .tx(async (tx) => {
      await outbox.add(tx, [event('never')]);
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await eventually('three events', () => got.length >= 3 || undefined);
  await drained();
  expect(got.map(({ name }) => name).toSorted()).toEqual(['one', 'three', 'two']);
  expect(got.find(({ name }) => name === 'two')!.headers['x-request-id']).toBe('r1');
  expect(live.toSorted()).toEqual(['live.1 one', 'live.2 one']);
});

test('the time until JetStream has stored an event is measured', async () => {
  const metrics = createMetrics('test');
  const outbox = open({ metrics });
  await db.tx((tx) => outbox.add(tx, [event('one'), event('two')]));
  await drained();
  expect(await metrics.registry.metrics()).toMatch(/^outbox_publish_seconds_count\{service="test"\} 2$/m);
});

test('an event whose process died before publishing it is swept by another one, byte by byte the same', async () => {
  const dying = open({ faults: { beforePublish: () => new Promise<void>(() => undefined) } });
  closing.pop();
  const binary = Buffer.from([0, 1, 0xff, 0x5c, 0x27]);
  const rows = dying.rows([
    { subject: 'event.a', payload: binary, live: ['live.1', 'live.2'] },
    { subject: 'event.b', payload: Buffer.alloc(0) },
  ]);
  await db.tx(async (tx) => dying.insert(tx, rows));
  dying.publish(rows);

  const live: Buffer[] = [];
  bus.subscribeLive('live.>', (payload) => live.push(Buffer.from(payload)));
  await bus.flush();
  const messages: { id: string; payload: Buffer }[] = [];
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: 'bytes',
    filter: 'event.>',
    handle: async (batch) =>
      batch.map(({ msgId, payload }) => (messages.push({ id: msgId, payload: Buffer.from(payload) }), 'ack')),
  });
  closing.push(() => consumer.stop());
  await open().sweep();
  await eventually('both', () => messages.length >= 2 || undefined);
  const expected = rows.map(({ id, payload }) => ({ id, payload: Buffer.from(payload) }));
  expect(messages.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(expected);
  expect(live).toEqual([binary, binary]);
  expect(await pending()).toBe(0);
});

test('an event whose process died before deleting it is published again with its id, and stored once', async () => {
  const dying = open({ faults: { beforeDelete: () => new Promise<void>(() => undefined) } });
  closing.pop();
  const got = listen();
  await db.tx((tx) => dying.add(tx, [event('one')]));
  await eventually('published', () => got.length || undefined);
  expect(await pending()).toBe(1);
  const outbox = open();
  await outbox.sweep();
  expect(await pending()).toBe(0);
  await db.tx((tx) => outbox.add(tx, [event('end')]));
  await eventually('the end', () => got.some(({ name }) => name === 'end') || undefined);
  expect(got.map(({ name }) => name)).toEqual(['one', 'end']);
});

test('events emitted while NATS is down arrive when it is back', async () => {
  const outbox = open({ sweepEveryMs: 50 });
  outbox.start();
  const got = listen();
  await nats.kill();
  await eventually('noticed', () => !bus.connected || undefined);
  await db.tx((tx) => outbox.add(tx, [event('one'), event('two')]));
  await outbox.sweep();
  expect(await pending()).toBe(2);
  await nats.restart();
  await eventually('both', () => got.length >= 2 || undefined);
  await drained();
  expect(got.map(({ name }) => name).toSorted()).toEqual(['one', 'two']);
});

test('events emitted while JetStream loses its files arrive in the new stream', async () => {
  const outbox = open({ sweepEveryMs: 50 });
  outbox.start();
  const got = listen();
  await db.tx((tx) => outbox.add(tx, [event('before')]));
  await eventually('before', () => got.length || undefined);
  const wiped = wipe();
  await db.tx((tx) => outbox.add(tx, [event('meanwhile')]));
  await wiped;
  await db.tx((tx) => outbox.add(tx, [event('after')]));
  const names = (): string[] => got.map(({ name }) => name);
  await eventually('after', () => (names().includes('meanwhile') && names().includes('after')) || undefined);
  await drained();
});

test('the sweeper leaves young rows to the process that wrote them', async () => {
  const outbox = open({ sweepAfterMs: 60_000, clock: createTestClock(0) });
  await db.tx((tx) => outbox.insert(tx, outbox.rows([event('one'), event('two')])));
  await outbox.sweep();
  expect(await pending()).toBe(2);
  await db.execute({ text: `update outbox set created_at = created_at - interval '61 seconds'` });
  await outbox.sweep();
  expect(await pending()).toBe(0);
});

test('stop() waits for running publications and deletions', async () => {
  const outbox = open({ clock: createTestClock(0) });
  await db.tx((tx) =>
    outbox.add(
      tx,
      Array.from({ length: 50 }, (_, i) => event(`e${i}`)),
    ),
  );
  await outbox.stop();
  expect(await pending()).toBe(0);
});

test('the cancelled request of an event does not keep its row from being deleted', async () => {
  const outbox = open();
  const abort = new AbortController();
  await runInContext({ requestId: 'r', signal: abort.signal, deadline: performance.now() + 60_000 }, () =>
    db.tx((tx) => outbox.add(tx, [event('one')])),
  );
  abort.abort();
  await drained();
});

test.each(['beforePublish', 'beforeDelete'])('a process killed at %s loses nothing', async (seam) => {
  const fixture = path.join(import.meta.dirname, 'crash-fixture.ts');
  const child = spawn(process.execPath, [fixture, url, nats.url, seam], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  expect(await pending()).toBeGreaterThan(0);

  const got = listen();
  await open().sweep();
  const end = open();
  await db.tx((tx) => end.add(tx, [{ ...event('end'), subject: 'event.end' }]));
  await eventually('the end', () => got.some(({ name }) => name === 'end') || undefined);
  const emitted = await db.query<{ id: string }>({ text: 'select id from emitted order by id' });
  expect(emitted.length).toBeGreaterThanOrEqual(3);
  const arrived = got.filter(({ name }) => name !== 'end').map(({ id }) => id);
  expect(arrived.toSorted()).toEqual(emitted.map(({ id }) => id));
});

test('a sweeper whose own link to NATS is down leaves the sweeping to another replica', async () => {
  const proxy = await startTcpProxy(nats.url);
  closing.push(() => proxy.stop());
  const cutOff = await connectBus({ url: proxy.url, name: 'cut-off', log });
  closing.push(() => cutOff.close());
  open({ bus: cutOff, sweepEveryMs: 50 }).start();
  // It holds the lock once it sweeps.
  const first = open();
  await db.tx((tx) => first.insert(tx, first.rows([event('first')])));
  await drained();
  const second = open({ sweepEveryMs: 50 });
  const otherDb = createDatabase({ url, poolSize: 2, log, applicationName: 'other-replica' });
  closing.push(() => otherDb.close());
  open({ db: otherDb, sweepEveryMs: 50 }).start();
  proxy.cut();
  await db.tx((tx) => second.insert(tx, second.rows([event('left over')])));
  await drained();
});
