import { FORMAT } from './format.ts';
import { openDatabase, resultOf, type Connection } from './indexeddb-connection.ts';
import { beginEpoch, failAfter, isConstraint } from './indexeddb-epoch.ts';
import { listRecords, ROWS, toRow, VALUES, writeRecords, type RowRecord } from './indexeddb-rows.ts';
import {
  StaleEpochError,
  StoreFullError,
  type Blobs,
  type Storage,
  type Store,
  type Write,
} from './store.ts';

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
      // Deleting the database would wait for every tab that has it open, including frozen ones.
      const connection = await openDatabase(databaseName(name), STORES);
      // A tab that still leads must not write records again.
      await beginEpoch(connection, [ROWS, BLOBS], (transaction) => {
        for (const store of [ROWS, BLOBS]) transaction.objectStore(store).clear();
      });
      connection.close();
    },
  };
}

function databaseName(name: string): string {
  // eslint-disable-next-line no-restricted-syntax -- a name of a database
  return `parley/${FORMAT}/${name}`;
}

// A transaction whose last request needs no answer is committed right after that request; the browser would do it
// later. A page that is suspended in the middle of a transaction keeps other tabs from the store, in Chromium for a minute.

function openStore(connection: Connection): Store {
  return {
    get: (table, keys) =>
      connection.read([ROWS], async (transaction) => {
        const rows = transaction.objectStore(ROWS);
        const records = keys.map((key) => resultOf<RowRecord | undefined>(rows.get([table, key])));
        transaction.commit();
        return (await Promise.all(records)).map((record) => record && toRow(record));
      }),
    list: (table, options) =>
      connection.read([ROWS], async (transaction) =>
        (await listRecords(transaction, table, options)).map(toRow),
      ),
    write: (writes, { epoch } = {}) => write(connection, writes, epoch),
    claim: () => beginEpoch(connection),
    blobs: openBlobs(connection),
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

async function write(
  connection: Connection,
  writes: readonly Write[],
  epoch: number | undefined,
): Promise<void> {
  try {
    await change(connection, [ROWS, VALUES], async (transaction) => {
      if (epoch !== undefined) failAfter(transaction, epoch);
      await writeRecords(transaction.objectStore(ROWS), writes);
      transaction.commit();
    });
  } catch (cause) {
    if (!isConstraint(cause)) throw cause;
    throw new StaleEpochError(`epoch ${epoch} has ended`, { cause });
  }
}

function openBlobs(connection: Connection): Blobs {
  return {
    put: (key, blob) =>
      change(connection, [BLOBS], (transaction) => {
        transaction.objectStore(BLOBS).put(blob, key);
        transaction.commit();
        return Promise.resolve();
      }),
    get: (key) =>
      connection.read([BLOBS], (transaction) => {
        const found = resultOf<Blob | undefined>(transaction.objectStore(BLOBS).get(key));
        transaction.commit();
        return found;
      }),
    remove: (key) =>
      change(connection, [BLOBS], (transaction) => {
        transaction.objectStore(BLOBS).delete(key);
        transaction.commit();
        return Promise.resolve();
      }),
  };
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
