/**
 * Checks of a storage that an application brings itself.
 *
 * @module @parley/client/store/conformance
 */

import { StaleEpochError, type Row, type Storage, type Store, type Table, type Write } from './store.ts';
import { uuid7 } from '../uuid.ts';

/** One requirement of a storage. `run` throws an error that describes the violation. */
export type ConformanceCase = { readonly name: string; run(storage: Storage): Promise<void> };

/**
 * Checks of a `Storage`, for any test runner. Each uses a store of its own.
 *
 * @returns The checks, each with a name and a function that fails if the storage breaks the contract.
 * @example
 * for (const { name, run } of storageConformance()) test(name, () => run(myStorage()));
 */
export function storageConformance(): readonly ConformanceCase[] {
  return CASES;
}

const CASES: readonly ConformanceCase[] = [
  withStore('a key without a row is undefined, and answers come in the order of the keys', async (store) => {
    await store.write([put('messages', 'a'), put('messages', 'b')]);
    same(keysOf(await store.get('messages', ['b', 'none', 'a'])), ['b', undefined, 'a']);
    same(keysOf(await store.get('conversations', ['a'])), [undefined]);
    same(await store.get('messages', []), []);
  }),
  withStore('a row is read as it was written', async (store) => {
    const value = { text: 'Grüße 👋', list: [1, null, { deep: true }], empty: {}, number: 1.5 };
    const written = { key: 'svc:///messages/1', group: '', order: 3, value };
    await store.write([{ kind: 'put', table: 'messages', row: written }]);
    same(await store.get('messages', [written.key]), [written]);
    same(await store.list('messages', { group: '' }), [written]);
  }),
  withStore('a list has one group of one table, the greatest order first', async (store) => {
    const rows = [put('messages', 'a', 'c', 2), put('messages', 'b', 'c', 10), put('messages', 'c', 'c', -1)];
    await store.write([...rows, put('messages', 'd', 'other', 3), put('operations', 'e', 'c', 4)]);
    same(keysOf(await store.list('messages', { group: 'c' })), ['b', 'a', 'c']);
    same(keysOf(await store.list('messages', { group: 'c', below: 10 })), ['a', 'c']);
    same(keysOf(await store.list('messages', { group: 'c', below: 10, limit: 1 })), ['a']);
    same(keysOf(await store.list('messages', { group: 'c', limit: 2 })), ['b', 'a']);
    same(keysOf(await store.list('messages', { group: 'none' })), []);
  }),
  withStore(
    'rows of the same order come by their key, the greatest first, also where the limit cuts',
    async (store) => {
      await store.write(['b', 'd', 'a', 'c'].map((key) => put('messages', key, 'c', 0)));
      await store.write([put('messages', 'z', 'c', 1)]);
      same(keysOf(await store.list('messages', { group: 'c' })), ['z', 'd', 'c', 'b', 'a']);
      same(keysOf(await store.list('messages', { group: 'c', limit: 3 })), ['z', 'd', 'c']);
    },
  ),
  withStore('a row that is written again replaces the one before, also in another group', async (store) => {
    await store.write([put('messages', 'a', 'one', 1)]);
    await store.write([put('messages', 'a', 'two', 2)]);
    same(keysOf(await store.list('messages', { group: 'one' })), []);
    same(
      (await store.list('messages', { group: 'two' })).map(({ order }) => order),
      [2],
    );
  }),
  withStore('of several changes of one row the last counts', async (store) => {
    await store.write([
      put('messages', 'a'),
      { kind: 'remove', table: 'messages', key: 'a' },
      put('messages', 'b'),
    ]);
    await store.write([{ kind: 'removeGroup', table: 'messages', group: 'c' }, put('messages', 'd')]);
    same(keysOf(await store.list('messages', { group: 'c' })), ['d']);
    await store.write([put('messages', 'e'), { kind: 'removeGroup', table: 'messages', group: 'c' }]);
    same(keysOf(await store.list('messages', { group: 'c' })), []);
  }),
  withStore('rows and groups are removed, and what is not there may be removed', async (store) => {
    await store.write([1, 2, 3].map((order) => put('messages', `m${order}`, 'c', order)));
    await store.write([
      { kind: 'remove', table: 'messages', key: 'none' },
      { kind: 'removeGroup', table: 'messages', group: 'none' },
      { kind: 'removeGroup', table: 'messages', group: 'c', below: 3 },
    ]);
    same(keysOf(await store.list('messages', { group: 'c' })), ['m3']);
  }),
  withStore('calls take effect in the order in which they were made', async (store) => {
    const writes = Array.from({ length: 20 }, (_, order) => store.write([put('values', 'a', '', order)]));
    const read = store.get('values', ['a']);
    await store.write([put('values', 'a', '', 99)]);
    same((await read)[0]?.order, 19);
    await Promise.all(writes);
    same((await store.get('values', ['a']))[0]?.order, 99);
  }),
  withStore('many rows are written at once', async (store) => {
    await store.write(Array.from({ length: 2_000 }, (_, order) => put('messages', `m${order}`, 'c', order)));
    same((await store.list('messages', { group: 'c' })).length, 2_000);
    same(keysOf(await store.list('messages', { group: 'c', below: 1_000, limit: 2 })), ['m999', 'm998']);
  }),
  withStores('each claim begins the next epoch, and an earlier one writes nothing', async (one, other) => {
    const [first, second] = [await one.claim(), await other.claim()];
    same([first, second], [1, 2]);
    await fails(StaleEpochError, one.write([put('messages', 'a'), put('values', 'b')], { epoch: first }));
    same(keysOf(await other.list('messages', { group: 'c' })), []);
    same(keysOf(await other.get('values', ['b'])), [undefined]);
    await other.write([put('messages', 'c')], { epoch: second });
    // The user's actions in any tab need no leader.
    await one.write([put('messages', 'd')]);
    same(keysOf(await other.list('messages', { group: 'c' })), ['d', 'c']);
  }),
  {
    name: 'records outlive the store that wrote them, and stores do not share them',
    async run(storage) {
      const name = newName();
      const first = await storage.open(name);
      await first.write([put('messages', 'a')]);
      await first.close();
      const [again, other] = [await storage.open(name), await storage.open(newName())];
      same(keysOf(await again.get('messages', ['a'])), ['a']);
      same(keysOf(await other.get('messages', ['a'])), [undefined]);
      await Promise.all([again.close(), other.close()]);
    },
  },
  {
    name: 'a removed store is empty, and a leader of before writes nothing',
    async run(storage) {
      const name = newName();
      await storage.remove(name);
      const store = await storage.open(name);
      const epoch = await store.claim();
      await store.write([put('messages', 'a')], { epoch });
      await store.blobs?.put('file', new Blob(['bytes']));
      await storage.remove(name);
      await fails(StaleEpochError, store.write([put('messages', 'b')], { epoch }));
      const again = await storage.open(name);
      same(keysOf(await again.list('messages', { group: 'c' })), []);
      same(await again.blobs?.get('file'), undefined);
      await Promise.all([store.close(), again.close()]);
    },
  },
  withStore('files are kept, if the store keeps any', async ({ blobs }) => {
    if (!blobs) return;
    await blobs.put('file', new Blob(['bytes'], { type: 'text/plain' }));
    const file = await blobs.get('file');
    same([await file?.text(), file?.type], ['bytes', 'text/plain']);
    await blobs.remove('file');
    same(await blobs.get('file'), undefined);
  }),
];

function withStore(name: string, check: (store: Store) => Promise<void>): ConformanceCase {
  return withStores(name, check);
}

function withStores(name: string, check: (one: Store, other: Store) => Promise<void>): ConformanceCase {
  return {
    name,
    async run(storage) {
      const shared = newName();
      const [one, other] = [await storage.open(shared), await storage.open(shared)];
      await check(one, other);
      await Promise.all([one.close(), other.close()]);
    },
  };
}

function newName(): string {
  return `svc:///apps/conformance/${uuid7()}`.replaceAll(':', '%3A');
}

function put(table: Table, key: string, group = 'c', order = 0): Write {
  return { kind: 'put', table, row: { key, group, order, value: { key } } };
}

function keysOf(rows: readonly (Row | undefined)[]): (string | undefined)[] {
  return rows.map((row) => row?.key);
}

function same(found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map(text);
  if (one !== other) throw new Error(`expected ${other}, found ${one}`);
}

/** JSON with sorted object keys, including values that JSON omits. */
function text(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) => {
      if (item === undefined) return '(undefined)';
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
    }) ?? '(undefined)'
  );
}

async function fails(kind: new (message: string) => Error, call: Promise<unknown>): Promise<void> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof kind)) throw new Error(`expected ${kind.name}, found ${String(failure)}`);
}
