import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Code } from '@connectrpc/connect';
import { freePort, startPostgres, until, type TestServer } from '@parley/testing';
import { imitateCitus, type FakeCitus } from '../../testing/fake-citus.ts';
import { watchStatements } from '../../testing/statement-watch.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createDatabase, type Database } from '../index.ts';
import { createCluster } from './cluster.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let servers: [TestServer, TestServer];
let citus: FakeCitus;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  servers = await Promise.all([startPostgres(), startPostgres()]);
  citus = await imitateCitus([servers[0].url, servers[1].url]);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

function open(options: { via?: (url: string) => string; poolSize?: number } = {}): Database {
  const { via = (url) => url, poolSize = 4 } = options;
  const { find, forget } = createCluster({ url: servers[0].url, log }).placementOf('p00');
  const cell = { name: 'p00', placement: { forget, find: async () => placeVia(await find(), via) } };
  const db = createDatabase({ url: 'postgres://nowhere', poolSize, log, applicationName: 'moving', cell });
  closing.push(() => db.close());
  return db;
}

const places = new WeakMap<object, object>();
function placeVia<P extends { url: string }>(place: P, via: (url: string) => string): P {
  const url = via(place.url);
  if (url === place.url) return place;
  const known = (places.get(place) as P | undefined) ?? { ...place, url };
  places.set(place, known);
  return known;
}

const insert = (id: number) => ({
  name: 'insert_item',
  text: 'insert into item (id) values ($1)',
  values: [id],
});
let nextId = 1;

test('a cell that moves loses and doubles nothing that is written meanwhile, and no writer sees an error', async () => {
  const db = open();
  const before = (await citus.ids()).length;
  const acknowledged: number[] = [];
  const counts = [0, 0, 0, 0];
  let isOver = false;
  const writers = counts.map(async (_, kind) => {
    while (!isOver) {
      const id = nextId++;
      if (kind === 0) await db.execute(insert(id));
      else if (kind === 1) await db.tx(async (tx) => void (await tx.execute(insert(id))));
      else if (kind === 2) await db.tx((tx) => Promise.resolve(tx.last(insert(id))));
      else
        await db.tx(async (tx) => {
          await tx.savepoint(() => tx.execute(insert(id)));
          await tx.query({ text: 'select id from item where id = $1 for update', values: [id] });
        });
      acknowledged.push(id);
      counts[kind]! += 1;
    }
  });
  for (let moves = 1; moves <= 6; moves++) {
    // A writer that finds the cell moved again in each of its attempts gets the error, so all writers proceed between two moves.
    const atMove = [...counts];
    await until(() => counts.every((count, kind) => count >= atMove[kind]! + 3) || undefined, {
      withinMs: 20_000,
      what: 'all writers go on',
    });
    await citus.move();
  }
  isOver = true;
  await Promise.all(writers);
  const stored = await citus.ids();
  expect(acknowledged.length).toBeGreaterThanOrEqual(60);
  expect(stored.slice(before)).toEqual(acknowledged.sort((one, other) => one - other));
});

test('a server that still has the tables of a cell that has moved takes no write', async () => {
  const db = open();
  await db.execute(insert(nextId++));
  await citus.move({ isKept: true });
  const ids = [nextId++, nextId++, nextId++];
  await db.execute(insert(ids[0]!));
  await db.tx((tx) => Promise.resolve(tx.last(insert(ids[1]!))));
  const found = await db.tx(
    (tx) => tx.query<{ id: number }>({ text: 'select id from item order by id desc limit 2' }),
    {
      isolation: 'repeatable read',
      readOnly: true,
    },
  );
  expect(found.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  expect((await citus.ids()).slice(-2)).toEqual([ids[0], ids[1]]);
});

test('a transaction that has begun ends before the cell moves', async () => {
  const db = open();
  const id = nextId++;
  let moved: Promise<void> | undefined;
  await db.tx(async (tx) => {
    await tx.execute(insert(id));
    moved = citus.move();
    await tx.execute({ text: 'select pg_sleep(0.2)' });
    await tx.execute({ text: 'update item set id = id where id = $1', values: [id] });
  });
  await moved;
  expect(await citus.ids()).toContain(id);
});

test('rows are locked, returned, changed and deleted through views, by their place too', async () => {
  const db = open();
  const ids = [nextId++, nextId++];
  for (const id of ids) await db.execute(insert(id));
  const again = {
    text: 'insert into item (id) values ($1) on conflict (id) do update set id = excluded.id',
    values: [ids[0]],
  };
  expect(await db.execute(again)).toBe(1);
  const held = await db.tx((tx) =>
    tx.query<{ own: boolean }>({
      text: `with held as (select id from item where id = any ($1) for no key update)
        select count(*) > 0 as own from held`,
      values: [ids],
    }),
  );
  expect(held).toEqual([{ own: true }]);
  const text =
    'delete from item where ctid = any (array(select ctid from item where id = any ($1) for update))';
  expect(await db.execute({ text, values: [ids] })).toBe(2);
});

test('a lock is held where the cell is: after a move by whoever asks first', async () => {
  const [first, second] = [open(), open()];
  const lock = await first.tryLock('job');
  expect(await lock?.isHeld()).toBe(true);
  expect(await second.tryLock('job')).toBeUndefined();
  await citus.move();
  await first.execute(insert(nextId++));
  expect(await lock?.isHeld()).toBe(false);
  await second.execute(insert(nextId++));
  expect(await second.tryLock('job')).toBeDefined();
});

test('direct writes go through the gate, and go on where the cell is after a move', async () => {
  const db = open();
  const writer = db.directWriter(2)!;
  const write = (id: number) =>
    new Promise<Error | 'stored'>((resolve, reject) => {
      const isTaken = writer.write([insert(id)], (error) => resolve(error ?? 'stored'));
      if (!isTaken) reject(new Error('no connection is free'));
    });
  const untilFree = () =>
    until(() => writer.isFree() || undefined, { withinMs: 10_000, what: 'a connection is free' });
  expect(writer.isFree()).toBe(false);
  await db.execute(insert(nextId++));
  await untilFree();
  const [before, refused, after] = [nextId++, nextId++, nextId++];
  expect(await write(before)).toBe('stored');
  await citus.move({ isKept: true });
  expect(await write(refused)).toMatchObject({ sqlState: 'PM001', isUnknown: false });
  await db.execute(insert(nextId++));
  await untilFree();
  expect(await write(after)).toBe('stored');
  const stored = await citus.ids();
  expect([before, refused, after].map((id) => stored.includes(id))).toEqual([true, false, true]);
});

test('an error of a statement reaches the caller, and no write is repeated for it', async () => {
  const db = open();
  const id = nextId++;
  await db.execute(insert(id));
  await expect(db.execute(insert(id))).rejects.toMatchObject({ sqlState: '23505' });
  await expect(db.query({ text: 'select from nothing_here' })).rejects.toMatchObject({ sqlState: '42P01' });
});

test('a cell whose tables are not where the catalogs say, or whose server is away, is unavailable', async () => {
  await citus.move();
  const { placementOf } = createCluster({ url: servers[0].url, log });
  await citus.claimOtherServer();
  await expect(placementOf('p00').find()).rejects.toMatchObject({ code: Code.Unavailable });
  await citus.claimOtherServer();
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  const away = createCluster({ url, log }).placementOf('p00').find();
  await expect(away).rejects.toMatchObject({ code: Code.Unavailable });
});

test('every group of statements on a connection of a cell that may move begins with the gate', async () => {
  const { url } = await createCluster({ url: servers[0].url, log }).placementOf('p00').find();
  const watch = await watchStatements(url);
  closing.push(() => watch.stop());
  const db = open({ via: () => watch.url, poolSize: 2 });
  const ids = Array.from({ length: 8 }, () => nextId++);
  const [one = 0, two = 0, three = 0, four = 0, five = 0, six = 0, seven = 0, eight = 0] = ids;
  await db.execute(insert(one));
  await db.query({ text: 'select 1' });
  await db.tx((tx) => tx.execute(insert(two)));
  await db.tx(async (tx) => {
    await tx.execute(insert(three));
    await tx.execute(insert(four));
  });
  await db.tx((tx) => Promise.resolve(tx.last(insert(five))));
  await db.tx((tx) => tx.savepoint(() => tx.execute(insert(six))));
  await db.tx((tx) => tx.query({ text: 'select 1' }), { isolation: 'repeatable read', readOnly: true });
  await db.tx((tx) => tx.execute(insert(six))).catch(() => undefined);
  await db.execute(insert(six)).catch(() => undefined);
  await Promise.all([db.execute(insert(seven)), db.execute(insert(eight))]);
  const writer = db.directWriter(1)!;
  await until(() => writer.isFree() || undefined, { withinMs: 10_000, what: 'a connection is free' });
  await new Promise<void>((resolve) => writer.write([insert(nextId++)], () => resolve()));
  await db.close();
  const groups = watch.groups().flatMap(transactionsOf);
  expect(groups.length).toBeGreaterThan(9);
  expect(groups.filter((group) => !/^select p00_here\.gate_102\(\)$/.test(group[0] ?? ''))).toEqual([]);
});

/** The statements of each transaction of a connection, without `begin` and `commit`. */
function transactionsOf(groups: string[][]): string[][] {
  const found: string[][] = [];
  let open: string[] | undefined;
  for (const group of groups.filter(([first]) => first !== 'discard plans'))
    for (const [index, text] of group.entries()) {
      if (/^begin\b/.test(text)) found.push((open = []));
      else if (/^(commit|rollback)$/.test(text)) open = undefined;
      else if (open) open.push(text);
      else if (index === 0) found.push([...group]);
    }
  return found;
}

test('nothing but the modules that begin with the gate sends a statement on a connection of a pool', () => {
  const folder = path.join(import.meta.dirname, '..');
  const senders = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) =>
      /\bclient\.query[(<]|pool\.(query|connect)\(/.test(readFileSync(path.join(folder, name), 'utf8')),
    )
    .filter((name) => !name.startsWith(`migrate`));
  // Only `connection.ts` and `direct-writer.ts` send on connections of cells. `epoch.ts` sends where there is no gate, and the other files
  // open their own connections.
  expect(senders.sort()).toEqual([
    'cells/cluster.ts',
    'cells/move-checks.ts',
    'cells/moves.ts',
    'cells/servers.ts',
    'cells/survey.ts',
    'cells/views.ts',
    'connection.ts',
    'direct-writer.ts',
    'epoch.ts',
    'locks.ts',
  ]);
});
