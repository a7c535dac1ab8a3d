import { TABLES, type Table } from '../store/store.ts';
import type { Action } from './operation.ts';
import type { Message } from './records.ts';
import type { RecordStore, RecordWrite, RowOf, RowValues, Values, WriteOf } from './rows.ts';

export type Tables = { readonly [T in Table]: Map<string, RowValues[T]> };

/**
 * The records of the store that are in memory: all conversations, operations, announcements, names and values, and the messages of
 * displayed conversations. They change only after the store has accepted a write.
 */
export type Records = Tables & {
  /** Messages of the loaded conversations, the oldest first, by conversation. */
  readonly lists: Map<string, Message[]>;
};

export function emptyRecords(): Records {
  return { ...perTable<Tables>(), lists: new Map() };
}

/** Creates a map for each table. */
export function perTable<M extends { readonly [T in Table]: Map<string, unknown> }>(): M {
  return Object.fromEntries(TABLES.map((table) => [table, new Map()])) as M;
}

/** The value of the table `values` with this key. */
export function valueOf<K extends keyof Values>(
  { values }: Pick<Records, 'values'>,
  key: K,
): Values[K] | undefined {
  return values.get(key) as Values[K] | undefined;
}

/** Reads all records except messages, and of these only those whose unread state the user's pending actions change. */
export async function readRecords(store: RecordStore, records: Records): Promise<void> {
  await Promise.all(
    TABLES.filter((table) => table !== 'messages').map((table) => readTable(store, records, table)),
  );
  for (const { action } of records.operations.values()) await loadCounted(store, records, action);
}

async function readTable<T extends Table>(store: RecordStore, tables: Tables, table: T): Promise<void> {
  for (const { key, value } of await store.list(table, { group: '' })) tables[table].set(key, value);
}

/** Number of conversations whose messages stay in memory although they are not displayed. */
export const KEPT_LISTS = 30;

/** Loads, if there is room, the messages through which the user's pending actions change unread counts. */
export async function loadCounted(store: RecordStore, records: Records, action: Action): Promise<void> {
  const isCounted = action.kind === 'receipt' || action.kind === 'markAllRead';
  if (isCounted && records.lists.size < KEPT_LISTS) await loadList(store, records, action.conversation);
}

/** Loads the messages of a conversation into memory. */
export async function loadList(store: RecordStore, records: Records, conversation: string): Promise<void> {
  if (records.lists.has(conversation)) return;
  const rows = await store.list('messages', { group: conversation });
  const list = rows.map(({ value }) => value).reverse();
  records.lists.set(conversation, list);
  for (const message of list) records.messages.set(message.id, message);
}

/** Removes the messages of a conversation from memory. */
export function unloadList(records: Records, conversation: string): void {
  for (const { id } of records.lists.get(conversation) ?? []) records.messages.delete(id);
  records.lists.delete(conversation);
}

/** Applies a store's writes in memory. */
export function absorb(records: Records, writes: readonly RecordWrite[]): void {
  for (const write of writes) {
    if (write.table === 'messages') absorbMessage(records, write);
    else absorbRow<Exclude<Table, 'messages'>>(records, write);
  }
}

function absorbRow<T extends Table>(tables: Tables, write: WriteOf<T>): void {
  const map = tables[write.table];
  if (write.kind === 'put') map.set(write.row.key, write.row.value);
  else if (write.kind === 'remove') map.delete(write.key);
  else map.clear();
}

function absorbMessage(records: Records, write: WriteOf<'messages'>): void {
  if (write.kind === 'put') putMessage(records, write.row);
  else if (write.kind === 'remove') removeMessage(records, write.key);
  else {
    const list = records.lists.get(write.group);
    const below = write.below ?? Infinity;
    const kept = list?.filter(({ position }) => position >= below);
    for (const { id, position } of list ?? []) if (position < below) records.messages.delete(id);
    if (kept) records.lists.set(write.group, kept);
  }
}

function putMessage({ lists, messages }: Records, { group, value: message }: RowOf<'messages'>): void {
  const list = lists.get(group);
  if (!list) return;
  messages.set(message.id, message);
  const index = slotOf(list, message.position);
  const isThere = list[index]?.position === message.position;
  if (index === list.length) list.push(message);
  else list.splice(index, isThere ? 1 : 0, message);
}

function removeMessage({ lists, messages }: Records, id: string): void {
  const message = messages.get(id);
  if (!message) return;
  messages.delete(id);
  const list = lists.get(message.conversation.id);
  const index = list ? slotOf(list, message.position) : 0;
  if (list?.[index]?.id === id) list.splice(index, 1);
}

/** The index of the first message at or after a position. */
export function slotOf(list: readonly { position: number }[], position: number): number {
  let [low, high] = [0, list.length];
  if (high > 0 && (list[high - 1]?.position ?? 0) < position) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
