import { StaleEpochError, StoreFullError, type Storage, type Store, type Write } from '../store/store.ts';
import type { SqliteDatabase } from './database.ts';
import { openBlobs } from './sqlite-blobs.ts';
import { queueOf, type Queue } from './sqlite-queue.ts';
import { getRows, listRows, writeRows } from './sqlite-rows.ts';
import { BLOBS, createTables, ROWS, STORES } from './sqlite-tables.ts';

/**
 * A storage in SQLite. The database is Parley's alone: transactions of the application in it would mix with those of the storage.
 * A file that `fileFromUri` made is kept by its URI, without its bytes.
 *
 * @param open Opens the database; called once, at the first use, and again if it fails.
 * @returns The storage, for `createClient`. The methods of its stores fail with a `StoreFullError` when the device has no more room.
 * @example
 * import * as SQLite from 'expo-sqlite';
 * const storage = sqliteStorage(async () => expoDatabase(await SQLite.openDatabaseAsync('parley.db')));
 */
export function sqliteStorage(open: () => SqliteDatabase | Promise<SqliteDatabase>): Storage {
  let opened: Promise<Queue> | undefined;
  function connect(): Promise<Queue> {
    opened ??= prepare(open).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }
  return {
    async open(name) {
      const queue = await connect();
      return openStore(queue, await queue.transact((run) => findOrMakeStore(run, name)));
    },
    async remove(name) {
      const queue = await connect();
      await queue.transact(async (run) => {
        const store = await findOrMakeStore(run, name);
        for (const table of [ROWS, BLOBS]) await run(`delete from ${table} where store = ?`, [store]);
        // A client that still leads must not write records again.
        await run(`update ${STORES} set epoch = epoch + 1 where id = ?`, [store]);
      });
    },
  };
}

async function prepare(open: () => SqliteDatabase | Promise<SqliteDatabase>): Promise<Queue> {
  const queue = queueOf(await open());
  await queue.read(createTables);
  return queue;
}

type Run = SqliteDatabase['run'];

async function findOrMakeStore(run: Run, name: string): Promise<number> {
  await run(`insert or ignore into ${STORES} (name, epoch) values (?, 0)`, [name]);
  const [row] = await run(`select id from ${STORES} where name = ?`, [name]);
  return Number(row?.['id']);
}

async function readEpoch(run: Run, store: number): Promise<number> {
  const [row] = await run(`select epoch from ${STORES} where id = ?`, [store]);
  return Number(row?.['epoch']);
}

function openStore(queue: Queue, store: number): Store {
  return {
    get: (table, keys) => queue.read((run) => getRows(run, { store, table }, keys)),
    list: (table, options) => queue.read((run) => listRows(run, { store, table }, options)),
    write: (writes, { epoch } = {}) => change(queue, (run) => write(run, { store, writes, epoch })),
    claim: () =>
      change(queue, async (run) => {
        await run(`update ${STORES} set epoch = epoch + 1 where id = ?`, [store]);
        return readEpoch(run, store);
      }),
    blobs: openBlobs(store, {
      read: queue.read,
      change: (work) => change(queue, work),
    }),
    close: () => queue.read(() => Promise.resolve()),
  };
}

type WriteGiven = {
  readonly store: number;
  readonly writes: readonly Write[];
  readonly epoch: number | undefined;
};

async function write(run: Run, { store, writes, epoch }: WriteGiven): Promise<void> {
  if (epoch !== undefined && (await readEpoch(run, store)) !== epoch)
    throw new StaleEpochError(`epoch ${epoch} has ended`);
  await writeRows(run, store, writes);
}

async function change<T>(queue: Queue, work: (run: Run) => Promise<T>): Promise<T> {
  try {
    return await queue.transact(work);
  } catch (cause) {
    if (!/SQLITE_FULL|database or disk is full/i.test(String(cause))) throw cause;
    throw new StoreFullError('the device has no more room', { cause });
  }
}
