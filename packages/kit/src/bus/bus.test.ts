import { Code } from '@connectrpc/connect';
import { freePort, startNats, until, type TestNats } from '@parley/testing';
import { rm } from 'node:fs/promises';
import { connectBus, type Bus, type BusMessage, type StreamOptions } from './index.ts';
import { ACK_WAIT_MS } from './durable.ts';
import { migrateStream } from './streams.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const stream: StreamOptions = {
  name: 'EVENTS',
  subjects: ['event.>'],
  maxAgeMs: 3600_000,
  maxBytes: 50_000_000,
  replicas: 1,
  duplicateWindowMs: 60_000,
};
let nats: TestNats;
let bus: Bus;
let closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  nats = await startNats();
});
beforeEach(async () => {
  bus = await open(nats.url);
  await bus.ensureStream(stream);
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  await wipe();
});
afterAll(() => nats.stop());

async function open(url: string): Promise<Bus> {
  const opened = await connectBus({ url, name: 'bus-test', log });
  closing.push(() => opened.close());
  return opened;
}

async function wipe(): Promise<void> {
  await nats.kill();
  await rm(nats.storeDir, { recursive: true, force: true });
  await nats.restart();
}

const text = ({ payload }: { payload: Uint8Array }): string => Buffer.from(payload).toString();
const send = (name: string, on: Bus = bus) => on.publish('event.a', Buffer.from(name), { msgId: name });
const eventually = <T>(what: string, attempt: () => T | undefined | Promise<T | undefined>) =>
  until(attempt, { withinMs: 10_000, what });
const seen = (list: string[], ...names: string[]) =>
  eventually(`${names} in ${list}`, () => (names.every((name) => list.includes(name)) ? true : undefined));

// Acknowledges every message and records it.
function listen(on: Bus = bus, durable = 'listener'): BusMessage[] {
  const got: BusMessage[] = [];
  const consumer = on.consume({
    stream: 'EVENTS',
    durable,
    filter: 'event.>',
    handle: async (messages) => messages.map((message) => (got.push(message), 'ack')),
  });
  closing.push(() => consumer.stop());
  return got;
}

test('messages come with their id, subject, request id and number of deliveries', async () => {
  await bus.publish('event.a', Buffer.from('hello'), { msgId: 'm1', headers: { 'x-request-id': 'r1' } });
  const got = listen();
  const [message] = await eventually('a message', () => (got.length > 0 ? got : undefined));
  expect(message).toMatchObject({ subject: 'event.a', msgId: 'm1', deliveries: 1, requestId: 'r1' });
  expect(text(message!)).toBe('hello');
});

test('a message with a known id is stored once', async () => {
  const got = listen();
  await send('one');
  await send('one');
  await send('end');
  await eventually('the end', () => got.map(text).includes('end') || undefined);
  expect(got.map(text)).toEqual(['one', 'end']);
});

test('a message is redelivered after its delay, also when its handler throws, unless it is dead', async () => {
  const tries: string[] = [];
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: 'retries',
    filter: 'event.>',
    batch: 1,
    backoffMs: [1],
    async handle([message]) {
      const name = `${text(message!)} ${message!.deliveries}`;
      tries.push(name);
      if (name === 'thrown 1') throw new Error('no');
      return [name.startsWith('dead') ? 'dead' : name === 'later 1' ? { retryInMs: 100 } : 'ack'];
    },
  });
  closing.push(() => consumer.stop());
  const started = Date.now();
  await Promise.all([send('dead'), send('later'), send('thrown')]);
  await seen(tries, 'thrown 2', 'later 2');
  expect(Date.now() - started).toBeGreaterThanOrEqual(100);
  expect(tries.toSorted()).toEqual(['dead 1', 'later 1', 'later 2', 'thrown 1', 'thrown 2']);
});

test('replicas share the messages of a consumer', async () => {
  const other = await open(nats.url);
  const lists = [listen(bus, 'shared'), listen(other, 'shared')];
  const names = Array.from({ length: 200 }, (_, i) => `m${i}`);
  await Promise.all(names.map((name) => send(name)));
  await eventually('all', () => (lists.flat().length >= 200 ? true : undefined));
  expect(lists.flat().map(text).toSorted()).toEqual(names.toSorted());
});

test('messages that arrive while a batch is handled form the next batch', async () => {
  const sizes: number[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: 'batches',
    filter: 'event.>',
    batch: 50,
    async handle(messages) {
      sizes.push(messages.length);
      await released;
      return messages.map(() => 'ack');
    },
  });
  closing.push(() => consumer.stop());
  await send('first');
  await eventually('the first', () => sizes[0]);
  await Promise.all(Array.from({ length: 60 }, (_, i) => send(`m${i}`)));
  release();
  await eventually('all', () => (sizes.reduce((a, b) => a + b) === 61 ? true : undefined));
  expect(sizes.length).toBeLessThan(20);
});

test('messages that arrive while the first one lingers join its batch', async () => {
  const batches: string[][] = [];
  const consumer = bus.consume({
    stream: 'EVENTS',
    durable: 'lingering',
    filter: 'event.>',
    lingerMs: 1_000,
    async handle(messages) {
      batches.push(messages.map(text));
      return messages.map(() => 'ack');
    },
  });
  closing.push(() => consumer.stop());
  for (const name of ['a', 'b', 'c']) await send(name);
  await eventually('all', () => batches.flat().length === 3 || undefined);
  expect(batches).toEqual([['a', 'b', 'c']]);
});

test('the stream and its consumers are created again on a wiped server', async () => {
  const got = listen();
  await send('before');
  await eventually('the first', () => got.map(text).includes('before') || undefined);
  await wipe();
  await eventually('stored again', () => send('after').then(() => true));
  await eventually('delivered again', () => got.map(text).includes('after') || undefined);
});

test('consumers continue after the server restarts', async () => {
  const got = listen();
  await send('before');
  await eventually('the first', () => got.map(text).includes('before') || undefined);
  await nats.kill();
  await expect(send('meanwhile')).rejects.toMatchObject({ code: Code.Unavailable });
  await nats.restart();
  await eventually('stored', () => send('after').then(() => true));
  await eventually('delivered', () => got.map(text).includes('after') || undefined);
  expect(got.map(text).filter((name) => name === 'before')).toHaveLength(1);
});

test('a full stream refuses new messages and keeps the old ones', async () => {
  await migrateStream({ url: nats.url, name: 'migration' }, { ...stream, maxBytes: 2000 });
  await bus.publish('event.a', Buffer.alloc(1500), { msgId: 'old' });
  const refused = bus.publish('event.a', Buffer.alloc(1500), { msgId: 'new' });
  await expect(refused).rejects.toMatchObject({ code: Code.ResourceExhausted });
  const got = listen();
  await eventually('the old one', () => got[0]);
  expect(got[0]!.msgId).toBe('old');
});

test('live messages are dropped and counted while there is no connection, and flow again afterwards', async () => {
  const got: string[] = [];
  let gaps = 0;
  bus.onGap(() => void gaps++);
  bus.subscribeLive('live.>', (payload) => got.push(text({ payload })));
  bus.publishLive('live.a', Buffer.from('one'));
  await seen(got, 'one');
  await nats.kill();
  await eventually('noticed', () => !bus.connected || undefined);
  bus.publishLive('live.a', Buffer.from('lost'));
  expect(bus.dropped).toBe(1);
  await nats.restart();
  await eventually('connected', () => bus.connected || undefined);
  bus.publishLive('live.a', Buffer.from('two'));
  await seen(got, 'two');
  expect(got).toEqual(['one', 'two']);
  expect(gaps).toBe(1);
});

test('a live message that is too large is dropped, and a handler that throws does no harm', async () => {
  const got: string[] = [];
  bus.subscribeLive('live.>', (payload) => {
    got.push(text({ payload }));
    if (got.length === 1) throw new Error('no');
  });
  bus.publishLive('live.a', Buffer.alloc(9_000_000));
  expect(bus.dropped).toBe(1);
  bus.publishLive('live.a', Buffer.from('one'));
  bus.publishLive('live.a', Buffer.from('two'));
  await seen(got, 'one', 'two');
});

test('a service may start before its NATS server', async () => {
  const port = await freePort();
  const early = await open(`nats://127.0.0.1:${port}`);
  await early.ensureStream(stream);
  const got = listen(early);
  const live: string[] = [];
  early.subscribeLive('live.>', (payload) => live.push(text({ payload })));
  await expect(send('refused', early)).rejects.toMatchObject({ code: Code.Unavailable });
  const late = await startNats({ port });
  await eventually('stored', () => send('accepted', early).then(() => true));
  await eventually('delivered', () => got.map(text).includes('accepted') || undefined);
  early.publishLive('live.a', Buffer.from('heard'));
  await seen(live, 'heard');
  for (const close of closing.reverse()) await close();
  closing = [];
  await late.stop();
});

test('stop() finishes the current batch and leaves the rest to another replica', async () => {
  const first = await open(nats.url);
  const started: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const slow = first.consume({
    stream: 'EVENTS',
    durable: 'slow',
    filter: 'event.>',
    batch: 1,
    async handle(messages) {
      started.push(...messages.map(text));
      await finished;
      return messages.map(() => 'ack');
    },
  });
  await send('one');
  await send('two');
  await seen(started, 'one');
  const stopped = slow.stop();
  finish();
  await stopped;
  const got = listen(bus, 'slow');
  // Messages in flight to the first listener are delivered again after its acknowledgement timeout.
  await until(() => got.length || undefined, { withinMs: ACK_WAIT_MS + 15_000, what: 'the rest' });
  expect(started).toEqual(['one']);
  expect(got.map(text)).toEqual(['two']);
}, 60_000);
