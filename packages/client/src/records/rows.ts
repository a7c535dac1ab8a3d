import type { BasicIdentity } from '@parley/contract/gen/records';
import type { ListOptions, Row, Store, Table } from '../store/store.ts';
import type { Operation } from './operation.ts';
import type { Announcement, Message, NamedIdentity, StoredConversation, Window } from './records.ts';

/** An upload as the store keeps it. */
export type UploadRecord = {
  readonly id: string;
  readonly name: string | undefined;
  readonly type: string;
  readonly size: number;
  readonly data: unknown;
  /** URI of the message that waits for the upload; undefined for an upload by the application. */
  readonly message?: string;
  /** When the upload began, in milliseconds since 1970, by the device's clock. */
  readonly startedAt: number;
  readonly isDone: boolean;
  /** The content that the platform created for the upload. */
  readonly content?: { readonly id: string; readonly url: string };
};

/**
 * URIs of objects to be read, each with that of its conversation. An object is read only if it is still missing; a conversation with an
 * empty second URI is always read.
 */
export type ToRefetch = readonly (readonly [id: string, conversation: string])[];

/** Values of the table `values` by their keys, which are stored. */
export type Values = {
  /** Server time at which the next replay begins, minus the overlap. */
  readonly cursor: string;
  /** The user's own identity, from the last `hello`. */
  readonly self: BasicIdentity;
  /** Names of the features that are switched on, as the last `hello` listed them. */
  readonly features: readonly string[];
  readonly to_read: ToRefetch;
  /** The part of the announcements that is on the device. */
  readonly announcements: Window;
  /** The session token. */
  readonly session: string;
  /** The user who logged in last; kept in the application's store. */
  readonly user: string;
  /** The device's id in its push registration. */
  readonly push_device: string;
  /** The real URI of a conversation for which this device generated another one. */
  readonly [alias: `alias ${string}`]: string;
};

/** Keys of the table `values`. */
export const CURSOR = 'cursor';
export const SELF = 'self';
export const FEATURES = 'features';
export const TO_REFETCH = 'to_read';
export const ANNOUNCEMENTS_WINDOW = 'announcements';

/** The values of the rows of each table. */
export type RowValues = {
  readonly conversations: StoredConversation;
  readonly messages: Message;
  readonly operations: Operation;
  readonly announcements: Announcement;
  readonly identities: NamedIdentity;
  readonly uploads: UploadRecord;
  /** Typed by their keys: see `Values`. */
  readonly values: unknown;
};

export type RowOf<T extends Table> = Row & { readonly value: RowValues[T] };

/** A change of one table, whose value is of that table. */
export type WriteOf<T extends Table> =
  | { readonly kind: 'put'; readonly table: T; readonly row: RowOf<T> }
  | { readonly kind: 'remove'; readonly table: T; readonly key: string }
  | { readonly kind: 'removeGroup'; readonly table: T; readonly group: string; readonly below?: number };

export type RecordWrite = { [T in Table]: WriteOf<T> }[Table];

/** A store whose rows are typed by their table. */
export type RecordStore = Omit<Store, 'get' | 'list' | 'write'> & {
  get<T extends Table>(table: T, keys: readonly string[]): Promise<(RowOf<T> | undefined)[]>;
  list<T extends Table>(table: T, options: ListOptions): Promise<RowOf<T>[]>;
  write(writes: readonly RecordWrite[], options?: { epoch?: number }): Promise<void>;
};

/** The store of a device, which contains what this library has written. */
export function recordStore(store: Store): RecordStore {
  return store as RecordStore;
}

/** A write that sets a value, or removes it if it is undefined. */
export function valueWrite<K extends keyof Values>(key: K, value: Values[K] | undefined): WriteOf<'values'> {
  return value === undefined
    ? { kind: 'remove', table: 'values', key }
    : { kind: 'put', table: 'values', row: { key, group: '', order: 0, value } };
}
