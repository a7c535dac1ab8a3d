import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createTestDatabase, startNats, until, type TestNats, type TestNatsOptions } from '@parley/testing';
import { migrateStream } from '../../bus/streams.ts';
import { connectBus, type Bus } from '../../bus/index.ts';
import { systemClock } from '../../runtime/clock/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createMetrics, type Metrics } from '../../runtime/telemetry/metrics.ts';
import {
  createOutbox,
  OUTBOX_TABLE_SQL,
  REPLAY_DEAD_LETTERS_SQL,
  type Outbox,
  type OutboxOptions,
} from './index.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let db: Database;
let closing: (() => Promise<void>)[];

function open(options: Partial<OutboxOptions> & { bus: Bus }): Outbox {
  const outbox = createOutbox({
    db,
    log,
    clock: systemClock,
    isLogged: () => true,
    sweepAfterMs: 0,
    ...options,
  });
  closing.push(() => outbox.stop());
  return outbox;
}

const event = (name: string) => ({ subject: 'event.a', payload: Buffer.from(name) });
const pending = async (): Promise<number> =>
  (await db.query<{ n: number }>({ text: 'select count(*) as n from outbox' }))[0]!.n;
const eventually = <T>(what: string, attempt: () => T | undefined | Promise<T | undefined>) =>
  until(attempt, { withinMs: 100_000, what });

describe('events that the broker refuses', () => {
  const small: TestNatsOptions = { maxPayloadBytes: 96 * 1024 };
  const lines: string[] = [];
  let other: TestNats;
  let narrow: Bus;

  beforeEach(async () => {
    db = createDatabase({
      url: await createTestDatabase(),
      poolSize: 4,
      log,
      applicationName: 'outbox-test',
    });
    await db.execute({ text: OUTBOX_TABLE_SQL });
    closing = [() => db.close()];
    small.maxPayloadBytes = 96 * 1024;
    lines.length = 0;
    other = await startNats(small);
    closing.push(() => other.stop());
    await reach(1_000_000);
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** Connects as a process whose largest message has `largestMessage` bytes. */
  async function reach(largestMessage: number): Promise<void> {
    const sink = { write: (line: string) => void lines.push(line) };
    const logged = createLogger({ service: 'test', level: 'error', destination: sink });
    const opened = await connectBus({ url: other.url, name: 'outbox-test', log: logged, largestMessage });
    closing.push(() => opened.close());
    narrow = opened;
    await makeStream(500_000_000);
  }

  const makeStream = (maxBytes: number): Promise<void> =>
    migrateStream(
      { url: other.url, name: 'migration' },
      {
        name: 'EVENTS',
        subjects: ['event.>'],
        maxAgeMs: 3600_000,
        maxBytes,
        replicas: 1,
        duplicateWindowMs: 60_000,
      },
    );
  const failuresOf = async (metrics: Metrics): Promise<number> =>
    (await metrics.counter({ name: 'outbox_failed_total', help: '' }).get()).values[0]!.value;
  const large = (count: number) =>
    Array.from({ length: count }, () => ({ subject: 'event.a', payload: Buffer.alloc(120_000) }));
  const others = Array.from({ length: 250 }, () => event('of another application'));
  const makeDue = () => db.execute({ text: 'update outbox set next_try_at = clock_timestamp()' });
  const letters = () => db.query<{ error: string }>({ text: 'select error from outbox_dead_letter' });

  test('wait longer each time and hold up no other, while its limit is too small', async () => {
    const metrics = createMetrics('test');
    const outbox = open({ bus: narrow, metrics });
    for (let part = 0; part < 11; part++) await db.tx((tx) => outbox.insert(tx, outbox.rows(large(20))));
    await db.tx((tx) => outbox.insert(tx, outbox.rows(others)));
    await outbox.sweep();
    expect(await db.query({ text: 'select attempts, count(*) as n from outbox group by 1' })).toEqual([
      { attempts: 1, n: 220 },
    ]);
    await db.execute({ text: `update outbox set next_try_at = next_try_at + interval '1 hour'` });
    await outbox.sweep();
    expect(await failuresOf(metrics)).toBe(220);
    await makeDue();
    await outbox.sweep();
    expect(await db.query({ text: 'select distinct attempts from outbox' })).toEqual([{ attempts: 2 }]);
    expect(await letters()).toEqual([]);

    expect(narrow.takesLargest).toBe(false);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      expect.stringContaining('max_payload of the NATS server is too small'),
    ]);
    small.maxPayloadBytes = 8 * 1024 * 1024;
    await other.kill();
    await other.restart();
    await eventually(
      'connected to the larger one',
      () => (narrow.connected && narrow.takesLargest) || undefined,
    );
    await makeDue();
    await eventually('all are published', async () => {
      await outbox.sweep();
      return (await pending()) === 0 || undefined;
    });
    expect(lines).toHaveLength(1);
  });

  test('are dead letters when its limit is as required, and can be put back', async () => {
    await reach(20_000);
    const metrics = createMetrics('test');
    const outbox = open({ bus: narrow, metrics });
    await db.tx((tx) => outbox.insert(tx, outbox.rows([...large(1), event('small')])));
    await outbox.sweep();
    expect(await pending()).toBe(0);
    expect(await letters()).toEqual([{ error: expect.stringContaining('120000 bytes') as string }]);
    expect(await metrics.registry.metrics()).toMatch(/outbox_dead_letters\{[^}]*\} 1/);

    small.maxPayloadBytes = 8 * 1024 * 1024;
    await other.kill();
    await other.restart();
    await eventually('connected again', () => narrow.connected || undefined);
    await db.execute({ text: REPLAY_DEAD_LETTERS_SQL });
    await eventually('it is published', async () => {
      await outbox.sweep();
      return (await pending()) === 0 || undefined;
    });
    expect(await letters()).toEqual([]);
  });

  test('are tried a page at a time while the stream is full, and all leave at once when it has room', async () => {
    await makeStream(2000);
    await narrow.publish('event.a', Buffer.alloc(1500), { msgId: 'filler' });
    const metrics = createMetrics('test');
    const outbox = open({ bus: narrow, metrics });
    const payload = Buffer.alloc(600);
    const backlog = Array.from({ length: 1000 }, () => ({ subject: 'event.a', payload }));
    await db.tx((tx) => outbox.insert(tx, outbox.rows(backlog)));
    await outbox.sweep();
    expect(await failuresOf(metrics)).toBe(200);
    expect(await db.query({ text: 'select attempts, count(*) as n from outbox group by 1' })).toEqual([
      { attempts: 0, n: 1000 },
    ]);
    await makeStream(500_000_000);
    await outbox.sweep();
    expect(await pending()).toBe(0);
  });

  test('are not read before their next try is due', async () => {
    const single = { url: await createTestDatabase(), poolSize: 1, log, applicationName: 'outbox-test' };
    const counted = createDatabase(single);
    closing.push(() => counted.close());
    await counted.execute({ text: OUTBOX_TABLE_SQL });
    const outbox = open({ bus: narrow, db: counted });
    await counted.tx((tx) => outbox.insert(tx, outbox.rows(Array.from({ length: 5000 }, () => event('a')))));
    await counted.execute({ text: `update outbox set next_try_at = next_try_at + interval '1 hour'` });
    await counted.tx((tx) => outbox.insert(tx, outbox.rows([event('due')])));
    await counted.execute({ text: 'vacuum analyze outbox' });
    const countRead = async (): Promise<number> => {
      await counted.query({ text: 'select pg_stat_force_next_flush()::text' });
      const text = `select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'outbox'`;
      return (await counted.query<{ n: number }>({ text }))[0]!.n;
    };
    const before = await countRead();
    await outbox.sweep();
    expect(await countRead()).toBeLessThan(before + 50);
    expect(await counted.query({ text: 'select count(*) as n from outbox' })).toEqual([{ n: 5000 }]);
  });

  test('do not delay the metrics when the database does not answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://postgres@127.0.0.1:${port}/parley`;
    const lost = createDatabase({ url, poolSize: 2, log, applicationName: 'outbox-test' });
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await lost.close();
    });
    const metrics = createMetrics('test');
    open({ bus: narrow, db: lost, metrics });
    const answered = lost.query({ text: 'select 1' }).catch(() => 'the connection timed out');
    const scraped = metrics.registry.metrics();
    expect(await Promise.race([answered, scraped])).toContain('outbox_dead_letters');
  });
});
