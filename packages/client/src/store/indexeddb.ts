import { FORMAT } from './format.ts';
import { openDatabase, resultOf, type Connection } from './indexeddb-connection.ts';
import { listRecords, ROWS, toRow, VALUES, writeRecords, type RowRecord } from './indexeddb-rows.ts';
import {
  StaleEpochError,
  StoreFullError,
  type Blobs,
  type Storage,
  type Store,
  type Write,
} from './store.ts';

const EPOCH = 'epoch';
const BLOBS = 'blobs';
const STORES = [ROWS, VALUES, BLOBS];

/**
 * A storage in the browser's IndexedDB, for pages and workers. Records outlive the page, and all tabs of an origin share them.
 *
 * @returns The storage, for `createClient`.
 * @throws The methods of its stores fail with a `StoreFullError` when the browser gives no more room, and with a `DOMException` where the
 *   browser refuses IndexedDB, for example in some private windows.
 * @example
 * const client = createClient({ url, appId, identityToken, storage: indexedDbStorage() });
 */
export function indexedDbStorage(): Storage {
  return {
    open: async (name) => openStore(await openDatabase(databaseName(name), STORES)),
    async remove(name) {
      // Deleting the database would wait for every tab that has it open, also for frozen ones.
      const connection = await openDatabase(databaseName(name), STORES);
      await change(connection, STORES, async (transaction) => {
        const epoch = await epochOf(transaction);
        for (const store of STORES) transaction.objectStore(store).clear();
        // A tab that still leads must not write records again.
        transaction.objectStore(VALUES).put(epoch + 1, EPOCH);
      });
      connection.close();
    },
  };
}

function databaseName(name: string): string {
  return `parley/${FORMAT}/${name}`;
}

function openStore(connection: Connection): Store {
  return {
    get: (table, keys) =>
      connection.read([ROWS], async (transaction) => {
        const rows = transaction.objectStore(ROWS);
        const records = keys.map((key) =>
          resultOf(rows.get([table, key]) as IDBRequest<RowRecord | undefined>),
        );
        return (await Promise.all(records)).map((record) => record && toRow(record));
      }),
    list: (table, options) =>
      connection.read([ROWS], async (transaction) =>
        (await listRecords(transaction.objectStore(ROWS), table, options)).map(toRow),
      ),
    write: (writes, { epoch } = {}) => write(connection, writes, epoch),
    claim: () =>
      change(connection, [VALUES], async (transaction) => {
        const epoch = (await epochOf(transaction)) + 1;
        transaction.objectStore(VALUES).put(epoch, EPOCH);
        return epoch;
      }),
    blobs: openBlobs(connection),
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

function write(connection: Connection, writes: readonly Write[], epoch: number | undefined): Promise<void> {
  return change(connection, [ROWS, VALUES], async (transaction) => {
    if (epoch !== undefined && (await epochOf(transaction)) !== epoch) {
      throw new StaleEpochError(`epoch ${epoch} has ended`);
    }
    await writeRecords(transaction.objectStore(ROWS), writes);
  });
}

function openBlobs(connection: Connection): Blobs {
  return {
    put: (key, blob) =>
      change(connection, [BLOBS], (transaction) => {
        transaction.objectStore(BLOBS).put(blob, key);
        return Promise.resolve();
      }),
    get: (key) =>
      connection.read([BLOBS], (transaction) =>
        resultOf(transaction.objectStore(BLOBS).get(key) as IDBRequest<Blob | undefined>),
      ),
    remove: (key) =>
      change(connection, [BLOBS], (transaction) => {
        transaction.objectStore(BLOBS).delete(key);
        return Promise.resolve();
      }),
  };
}

async function epochOf(transaction: IDBTransaction): Promise<number> {
  return (await resultOf(transaction.objectStore(VALUES).get(EPOCH) as IDBRequest<number | undefined>)) ?? 0;
}

async function change<T>(
  connection: Connection,
  stores: string[],
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await connection.change(stores, work);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'QuotaExceededError') {
      throw new StoreFullError('the browser gives no more room', { cause });
    }
    throw cause;
  }
}
