import { Code } from '@connectrpc/connect';
import { createTestDatabase, startTcpProxy, until, type TcpProxy } from '@parley/testing';
import { createDatabase, isUnknownOutcome, type Database, type DirectWriter, type Query } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });

let proxy: TcpProxy;
let db: Database;
let writer: DirectWriter;
let administration: Database;

beforeEach(async () => {
  const url = await createTestDatabase();
  proxy = await startTcpProxy(url);
  administration = createDatabase({ url, poolSize: 1, log, applicationName: 'administration' });
  await administration.execute({ text: 'create table item (id integer primary key)' });
  db = createDatabase({ url: proxy.url, poolSize: 1, log, applicationName: 'direct' });
  writer = db.directWriter(1)!;
  await untilFree();
});
afterEach(async () => {
  await Promise.all([db.close(), administration.close()]);
  await proxy.stop();
});

function untilFree(): Promise<true> {
  return until(() => writer.isFree() || undefined, { withinMs: 10_000, what: 'a connection is free' });
}

function insert(id: unknown): Query {
  return { name: 'insert', text: 'insert into item (id) values ($1::integer) returning id', values: [id] };
}

/** Resolves with the value, or rejects with the error. */
function write(...statements: Query[]): Promise<string | null | undefined> {
  return new Promise((resolve, reject) => {
    const isTaken = writer.write(statements, (error, value) => (error ? reject(error) : resolve(value)));
    if (!isTaken) reject(new Error('not taken'));
  });
}

async function stored(): Promise<number[]> {
  const rows = await administration.query<{ id: number }>({ text: 'select id from item order by id' });
  return rows.map(({ id }) => id);
}

test('statements are one transaction, and the last one gives the value', async () => {
  expect(await write(insert(1), insert(2))).toBe('2');
  expect(await write(insert(3))).toBe('3');
  expect(await write(insert(4), { name: 'holds', text: 'select true as holds' })).toBe('t');
  expect(await stored()).toEqual([1, 2, 3, 4]);
});

test('a connection takes one write at a time', async () => {
  const first = write(insert(1));
  expect(writer.isFree()).toBe(false);
  await expect(write(insert(2))).rejects.toThrow('not taken');
  await first;
  expect(writer.isFree()).toBe(true);
  expect(await stored()).toEqual([1]);
});

test.each([
  ['first', () => [insert(1), insert(2)]],
  ['last', () => [insert(2), insert(1)]],
])('an error of the %s statement leaves nothing stored, and is known', async (_, statements) => {
  await write(insert(1));
  const error = await write(...statements()).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: Code.AlreadyExists, sqlState: '23505', isUnknown: false });
  expect(await write(insert(3))).toBe('3');
  expect(await stored()).toEqual([1, 3]);
});

test('an error of a statement that was never prepared leaves the others as they are', async () => {
  const wrong = { name: 'wrong', text: 'select nothing from nowhere' };
  for (let tries = 0; tries < 2; tries++)
    await expect(write(insert(1), wrong)).rejects.toMatchObject({ sqlState: '42P01' });
  expect(await write(insert(1))).toBe('1');
});

test('a value that cannot be encoded fails its write alone, which is known', async () => {
  const circular: { self?: object } = {};
  circular.self = circular;
  const error = await write(insert(1), insert(circular)).catch((failure: unknown) => failure);
  expect(isUnknownOutcome(error)).toBe(false);
  expect(error).toBeInstanceOf(Error);
  await untilFree();
  expect(await write(insert(2))).toBe('2');
  expect(await stored()).toEqual([2]);
});

test('a connection that is closed while nothing is under way is replaced', async () => {
  await write(insert(1));
  await endBackends();
  await until(() => !writer.isFree() || undefined, { withinMs: 10_000, what: 'the loss is noticed' });
  await untilFree();
  expect(await write(insert(2))).toBe('2');
});

test('a server process that is ended between a write and its answer leaves the outcome unknown', async () => {
  const error = write(insert(1), sleep(30)).catch((failure: unknown) => failure);
  await until(async () => ((await isAsleep()) ? true : undefined), { withinMs: 10_000, what: 'it sleeps' });
  await endBackends();
  // Whether the server says that it was terminated or the connection is lost, it is unknown whether the write is stored.
  expect(await error).toMatchObject({ code: Code.Unavailable });
  expect(await stored()).toEqual([]);
});

test('a write whose connection is cut has an unknown outcome', async () => {
  const error = write(insert(1), sleep(30)).catch((failure: unknown) => failure);
  await until(async () => ((await isAsleep()) ? true : undefined), { withinMs: 10_000, what: 'it sleeps' });
  proxy.cut();
  expect(await error).toMatchObject({ code: Code.Unavailable, isUnknown: true });
});

test('a server that does not answer leaves the outcome unknown after the time limit', async () => {
  proxy.swallow();
  const error = await write(insert(1)).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: Code.Unavailable, isUnknown: true });
  await untilFree();
}, 20_000);

test('a server that takes no writes is another connection away', async () => {
  const [{ name } = { name: '' }] = await administration.query<{ name: string }>({
    text: 'select current_database() as name',
  });
  await administration.execute({ text: `alter database "${name}" set default_transaction_read_only = on` });
  await endBackends();
  await until(() => !writer.isFree() || undefined, { withinMs: 10_000, what: 'the loss is noticed' });
  await untilFree();
  await expect(write(insert(1))).rejects.toMatchObject({ sqlState: '25006', isUnknown: false });
  await administration.execute({
    text: `begin read write; alter database "${name}" reset default_transaction_read_only; commit`,
  });
  const value = await until(() => write(insert(1)).catch(() => undefined), {
    withinMs: 10_000,
    what: 'a connection that takes writes',
  });
  expect(value).toBe('1');
});

function sleep(seconds: number): Query {
  return { name: `sleep_${seconds}`, text: `select pg_sleep(${seconds})` };
}

async function isAsleep(): Promise<boolean> {
  const rows = await administration.query({
    text: "select from pg_stat_activity where application_name = 'direct' and wait_event = 'PgSleep'",
  });
  return rows.length > 0;
}

async function endBackends(): Promise<void> {
  await administration.execute({
    text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'direct'",
  });
}
