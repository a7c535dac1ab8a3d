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
  /** URI of the message that waits for it; undefined for an upload of the application. */
  readonly message?: string;
  /** When it began, in milliseconds since 1970, by the device's clock. */
  readonly startedAt: number;
  readonly isDone: boolean;
  /** The content that the platform made for it. */
  readonly content?: { readonly id: string; readonly url: string };
};

/**
 * The URIs that have to be read, each with that of its conversation. It is read if it is not here by then; a conversation with an empty
 * second URI in any case.
 */
export type ToRefetch = readonly (readonly [id: string, conversation: string])[];

/** The values of the table `values`, by their keys, which are stored. */
export type Values = {
  /** Server time from which on the next replay begins, less the overlap. */
  readonly cursor: string;
  /** The user's own identity, as the last `hello` showed it. */
  readonly self: BasicIdentity;
  /** Names of the features that are switched on, as the last `hello` listed them. */
  readonly features: readonly string[];
  readonly to_read: ToRefetch;
  /** How much of the announcements is on the device. */
  readonly announcements: Window;
  /** The session token. */
  readonly session: string;
  /** The user who logged in last; in the store of the application. */
  readonly user: string;
  /** The device's id in the registration of pushes. */
  readonly push_device: string;
  /** The URI of a conversation for which this device made another one. */
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

/** The store of a device, which holds what this library has written. */
export function recordStore(store: Store): RecordStore {
  return store as RecordStore;
}

/** The write that sets a value, or removes it if that is undefined. */
export function valueWrite<K extends keyof Values>(key: K, value: Values[K] | undefined): WriteOf<'values'> {
  return value === undefined
    ? { kind: 'remove', table: 'values', key }
    : { kind: 'put', table: 'values', row: { key, group: '', order: 0, value } };
}
