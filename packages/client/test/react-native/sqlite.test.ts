import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expoDatabase, opDatabase, sqliteStorage, type SqliteDatabase } from '../../src/react-native.ts';
import { storageConformance } from '../../src/store/conformance.ts';
import { StoreFullError, type Row, type Write } from '../../src/store/store.ts';
import { openAsExpo, openAsOp } from './database.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-sqlite-'));
let files = 0;
const newFile = (): string => path.join(folder, `${++files}.db`);

afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['expo-sqlite', (file: string) => expoDatabase(openAsExpo(file))],
  ['op-sqlite', (file: string) => opDatabase(openAsOp(file))],
])('the storage in a database like that of %s', (_, open) => {
  const storage = sqliteStorage(() => open(newFile()));
  test.each(storageConformance().map(({ name, run }) => [name, run] as const))('%s', (_, run) =>
    run(storage),
  );
});

const row = (key: string, order = 0): Row => ({ key, group: 'c', order, value: { key } });
const CHANGES: readonly Write[] = [
  { kind: 'put', table: 'messages', row: row('new', 1) },
  { kind: 'removeGroup', table: 'operations', group: 'c' },
  { kind: 'remove', table: 'messages', key: 'old' },
  ...Array.from({ length: 400 }, (_, at): Write => ({
    kind: 'put',
    table: 'messages',
    row: row(`${at}`, at),
  })),
];
const LONGEST = 20;

/** Fails at the statement with this number, counted from the first one that is watched; 0 fails at none. */
function failing(database: SqliteDatabase) {
  const state = { at: 0, count: 0, message: 'the application was ended' };
  return {
    state,
    database: {
      run: async (...given: Parameters<SqliteDatabase['run']>) => {
        state.count++;
        if (state.at > 0 && state.count >= state.at) throw new Error(state.message);
        return database.run(...given);
      },
    },
  };
}

test('a write that ends at any of its statements changes nothing', async () => {
  const file = newFile();
  const { state, database } = failing(expoDatabase(openAsExpo(file)));
  const store = await sqliteStorage(() => database).open('one');
  await store.write([
    { kind: 'put', table: 'messages', row: row('old') },
    { kind: 'put', table: 'operations', row: row('waiting') },
  ]);
  let isWritten = false;
  for (let at = 1; !isWritten; at++) {
    expect(at).toBeLessThan(LONGEST);
    Object.assign(state, { at, count: 0 });
    isWritten = await store.write(CHANGES).then(
      () => true,
      () => false,
    );
    state.at = 0;
    // A connection looks like this after its process has ended.
    await database.run('rollback', []).catch(() => undefined);
    const other = await sqliteStorage(() => expoDatabase(openAsExpo(file))).open('one');
    const keys = (await other.list('messages', { group: 'c' })).map(({ key }) => key);
    const waiting = await other.list('operations', { group: 'c' });
    if (isWritten) expect([keys.length, keys.includes('old'), waiting.length]).toEqual([401, false, 0]);
    else expect([keys, waiting.length]).toEqual([['old'], 1]);
  }
});

test('a device without room says so, and takes later changes', async () => {
  const { state, database } = failing(expoDatabase(openAsExpo(newFile())));
  const store = await sqliteStorage(() => database).open('one');
  Object.assign(state, { at: 2, count: 0, message: 'Error code 13: database or disk is full' });
  await expect(store.write(CHANGES)).rejects.toBeInstanceOf(StoreFullError);
  state.at = 0;
  await store.write(CHANGES);
  expect(await store.list('messages', { group: 'c', limit: 1 })).toEqual([row('399', 399)]);
});

/** Answers each statement after another number of turns of the event loop, as the thread of a device does. */
function slow(connection: ReturnType<typeof openAsExpo>): ReturnType<typeof openAsExpo> {
  return {
    async getAllAsync(sql, values) {
      const rows = await connection.getAllAsync(sql, values);
      for (let turns = Math.floor(Math.random() * 4); turns > 0; turns--) await new Promise(setImmediate);
      return rows;
    },
  };
}

test('two storages over one connection write all of each change or none, at the same time', async () => {
  const connection = slow(openAsExpo(newFile()));
  const open = () => sqliteStorage(() => expoDatabase(connection)).open('one');
  const [one, other] = await Promise.all([open(), open()]);
  const rowsOf = (group: string): readonly Write[] =>
    Array.from({ length: 400 }, (_, at) => ({
      kind: 'put',
      table: 'messages',
      row: { key: `${group} ${at}`, group, order: at, value: null },
    }));
  // A rank that is no number is refused, behind rows that were written.
  const refused = (group: string): readonly Write[] => [
    ...rowsOf(group),
    { kind: 'put', table: 'messages', row: { key: group, group, order: null as never, value: null } },
  ];
  const groups = Array.from({ length: 20 }, (_, index) => String(index));
  const results = await Promise.allSettled(
    groups.map((group, index) =>
      (index % 2 === 0 ? one : other).write(index % 5 === 4 ? refused(group) : rowsOf(group)),
    ),
  );
  for (const [index, group] of groups.entries()) {
    const isRefused = index % 5 === 4;
    expect(results[index]?.status).toBe(isRefused ? 'rejected' : 'fulfilled');
    expect((await one.list('messages', { group })).length).toBe(isRefused ? 0 : 400);
  }
});

test('a database that did not open is opened again at the next use', async () => {
  let tries = 0;
  const storage = sqliteStorage(() => {
    if (++tries === 1) throw new Error('the device is locked');
    return expoDatabase(openAsExpo(newFile()));
  });
  await expect(storage.open('one')).rejects.toThrow('the device is locked');
  await (await storage.open('one')).write(CHANGES);
  expect(tries).toBe(2);
});

test('names and texts are data, whatever they look like', async () => {
  const storage = sqliteStorage(() => expoDatabase(openAsExpo(newFile())));
  const [one, other] = [await storage.open(`a'; drop table parley1_row; --`), await storage.open('a')];
  const odd = {
    key: `k"'%_?`,
    group: `g' or 1=1`,
    order: -1.5,
    value: { text: '\ud800 \u0000 ?1 🤖' },
  };
  await one.write([{ kind: 'put', table: 'messages', row: odd }]);
  expect(await one.get('messages', [odd.key])).toEqual([odd]);
  expect(await one.list('messages', { group: odd.group, below: Infinity })).toEqual([odd]);
  expect(await other.list('messages', { group: odd.group })).toEqual([]);
});
