/**
 * A storage keeps one user's records on the device: in memory, in IndexedDB, or in SQLite on React Native. An application that has
 * none of them brings its own `Storage`; `@parley/client/store/conformance` checks it.
 *
 * A store is a few tables of rows. A row has a `key`, unique in its table; a `group` and an `order` by which it is listed;
 * and a `value`, which is JSON. The library gives the values their meaning:
 *
 * | table           | key                     | group              | order            | value                                     |
 * | --------------- | ----------------------- | ------------------ | ---------------- | ----------------------------------------- |
 * | `conversations` | URI of the conversation | empty              | 0                | the conversation and its window of history |
 * | `messages`      | URI of the message      | URI of its conversation | its position | the message                               |
 * | `operations`    | id of the operation     | its lane           | when it was made | what the user did and is not confirmed yet |
 * | `announcements` | URI of the announcement | empty              | its position     | the announcement                          |
 * | `identities`    | URI of the identity     | empty              | 0                | names that are newer than those in records |
 * | `uploads`       | id of the upload        | empty              | when it began    | an upload that may be resumed             |
 * | `values`        | a name                  | empty              | 0                | the cursor, the session, windows          |
 */
export type Table =
  'conversations' | 'messages' | 'operations' | 'announcements' | 'identities' | 'uploads' | 'values';

/** The tables that every store has. */
export const TABLES: readonly Table[] = [
  'conversations',
  'messages',
  'operations',
  'announcements',
  'identities',
  'uploads',
  'values',
];

/** One record. A store hands out rows that the caller must not change, and may keep the ones that it is given. */
export type Row = {
  readonly key: string;
  readonly group: string;
  readonly order: number;
  readonly value: unknown;
};

/** One change of a store. Of several for one row the last one counts. */
export type Write =
  | { readonly kind: 'put'; readonly table: Table; readonly row: Row }
  | { readonly kind: 'remove'; readonly table: Table; readonly key: string }
  /** Removes all rows of a group, or those whose order is less than `below`. */
  | { readonly kind: 'removeGroup'; readonly table: Table; readonly group: string; readonly below?: number };

/** `below`: only rows whose order is less. `limit`: at most so many. */
export type ListOptions = { readonly group: string; readonly below?: number; readonly limit?: number };

export type Store = {
  /** The rows with these keys, in the order of the keys; undefined for a key without a row. */
  get(table: Table, keys: readonly string[]): Promise<(Row | undefined)[]>;
  /** The rows of a group, the greatest order first; rows of the same order by their key, the greatest first. */
  list(table: Table, options: ListOptions): Promise<Row[]>;
  /**
   * Makes all changes or, when it fails, none. Changes are durable when it resolves: they survive a crash of the page. Calls
   * take effect in the order in which they were made, and a later read sees them.
   *
   * With `epoch`, fails with a `StaleEpochError` and changes nothing if a later epoch has been claimed: another tab leads
   * since. Fails with a `StoreFullError` when there is no room.
   */
  write(writes: readonly Write[], options?: { epoch?: number }): Promise<void>;
  /** Begins the next epoch of leadership, and answers its number: 1 for the first one of a store. */
  claim(): Promise<number>;
  /** Files whose upload may be resumed after a reload. A store without it resumes them only when the application gives the file again. */
  readonly blobs?: Blobs;
  /** Ends the use of the store; calls under way finish first. Its records stay. */
  close(): Promise<void>;
};

/** Files by key. `put` fails with a `StoreFullError` when there is no room. */
export type Blobs = {
  put(key: string, blob: Blob): Promise<void>;
  get(key: string): Promise<Blob | undefined>;
  remove(key: string): Promise<void>;
};

/** Opens stores by name. A name is made of letters, digits and `-_.~%/`. */
export type Storage = {
  open(name: string): Promise<Store>;
  /** Deletes all records of a store; does nothing if there is none. A tab that still leads in it can write no more. */
  remove(name: string): Promise<void>;
};

/** Another tab has claimed a later epoch: this one does not lead any more, and must not write. */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError';
}

/** There is no room for the records. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';
}
