/** An open database. The browser may close it at any time; the next call then opens it again. */
export type Connection = {
  /** Runs work in a read transaction. The work awaits nothing but the transaction's requests. */
  read<T>(stores: string[], work: (transaction: IDBTransaction) => Promise<T>): Promise<T>;
  /** Runs work in a write transaction, and resolves once that is committed; when the work fails, nothing is changed. */
  change<T>(stores: string[], work: (transaction: IDBTransaction) => Promise<T>): Promise<T>;
  close(): void;
};

/** Never changes: rows of any table fit. */
const VERSION = 1;

/** Opens a database whose object stores keep keys separate from values. */
export async function openDatabase(name: string, stores: readonly string[]): Promise<Connection> {
  const state: State = { name, stores, opening: undefined, isClosed: false };
  await databaseOf(state);
  return {
    read: (of, work) => run(state, { of, mode: 'readonly' }, work),
    change: (of, work) => run(state, { of, mode: 'readwrite' }, work),
    close() {
      state.isClosed = true;
      void state.opening?.then((database) => database.close());
    },
  };
}

type State = {
  readonly name: string;
  readonly stores: readonly string[];
  opening: Promise<IDBDatabase> | undefined;
  isClosed: boolean;
};

type Scope = { of: string[]; mode: IDBTransactionMode };

async function run<T>(
  state: State,
  scope: Scope,
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  const transaction = begin(await databaseOf(state), scope) ?? begin(await reopened(state), scope);
  if (!transaction) throw new DOMException(`the database ${state.name} is closed`, 'InvalidStateError');
  const committed = ended(transaction);
  try {
    const result = await work(transaction);
    await committed;
    return result;
  } catch (error) {
    committed.catch(() => undefined);
    abort(transaction);
    // The browser's reason for ending the transaction is more informative than the error of a request.
    throw transaction.error ?? error;
  }
}

/** Undefined if the browser has closed the database. */
function begin(database: IDBDatabase, { of, mode }: Scope): IDBTransaction | undefined {
  try {
    return database.transaction(of, mode, { durability: 'relaxed' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') return undefined;
    throw error;
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has ended already.
  }
}

function databaseOf(state: State): Promise<IDBDatabase> {
  if (state.isClosed) {
    return Promise.reject(new DOMException(`the store ${state.name} is closed`, 'InvalidStateError'));
  }
  state.opening ??= open(state);
  return state.opening;
}

function reopened(state: State): Promise<IDBDatabase> {
  state.opening = undefined;
  return databaseOf(state);
}

async function open(state: State): Promise<IDBDatabase> {
  const request = indexedDB.open(state.name, VERSION);
  request.onupgradeneeded = () => {
    for (const store of state.stores) createStore(request.result, store);
  };
  try {
    const database = await resultOf(request);
    const forget = () => {
      database.close();
      state.opening = undefined;
    };
    database.onversionchange = forget;
    database.onclose = forget;
    return database;
  } catch (error) {
    state.opening = undefined;
    throw error;
  }
}

function createStore(database: IDBDatabase, store: string): void {
  if (store !== 'rows') {
    database.createObjectStore(store);
    return;
  }
  const rows = database.createObjectStore(store, { keyPath: ['table', 'key'] });
  rows.createIndex('place', ['table', 'group', 'rank']);
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
  });
}

/** Waits for the result of a request. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('failed', 'UnknownError'));
  });
}
