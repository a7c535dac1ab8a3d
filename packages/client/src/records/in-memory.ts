import { TABLES, type Row, type Store, type Table, type Write } from '../store/store.ts';
import type { Action, Operation } from './operation.ts';
import type { Announcement, Message, NamedIdentity, StoredConversation } from './records.ts';

/**
 * The records of the store that are in memory: all conversations, operations, announcements, names and values, and the
 * messages of the conversations that are shown. It changes only by writes that the store has taken.
 */
export type Records = {
  readonly conversations: Map<string, StoredConversation>;
  readonly messages: Map<string, Message>;
  /** By conversation, if loaded: its messages, the oldest first. */
  readonly lists: Map<string, Message[]>;
  readonly announcements: Map<string, Announcement>;
  readonly operations: Map<string, Operation>;
  readonly identities: Map<string, NamedIdentity>;
  readonly uploads: Map<string, unknown>;
  readonly values: Map<string, unknown>;
};

export function emptyRecords(): Records {
  return { ...(perTable() as Omit<Records, 'lists'>), lists: new Map() };
}

/** A map for each table. */
export function perTable<V>(): Record<Table, Map<string, V>> {
  return Object.fromEntries(TABLES.map((table) => [table, new Map()])) as Record<Table, Map<string, V>>;
}

/** Reads all but the messages, and of these those whose number what the user did changes. */
export async function readRecords(store: Store, records: Records): Promise<void> {
  await Promise.all(
    TABLES.map(async (table) => {
      if (table === 'messages') return;
      const map: Map<string, unknown> = records[table];
      for (const { key, value } of await store.list(table, { group: '' })) map.set(key, value);
    }),
  );
  for (const { action } of records.operations.values()) await loadCounted(store, records, action);
}

/** So many conversations keep their messages in memory though they are not shown. */
export const KEPT_LISTS = 30;

/** Takes the messages into memory by which what the user did changes the unread count, if there is room. */
export async function loadCounted(store: Store, records: Records, action: Action): Promise<void> {
  const isCounted = action.kind === 'receipt' || action.kind === 'markAllRead';
  if (isCounted && records.lists.size < KEPT_LISTS) await loadList(store, records, action.conversation);
}

/** Takes the messages of a conversation into memory. */
export async function loadList(store: Store, records: Records, conversation: string): Promise<void> {
  if (records.lists.has(conversation)) return;
  const rows = await store.list('messages', { group: conversation });
  const list = rows.map(({ value }) => value as Message).reverse();
  records.lists.set(conversation, list);
  for (const message of list) records.messages.set(message.id, message);
}

/** Lets the messages of a conversation go from memory. */
export function unloadList(records: Records, conversation: string): void {
  for (const { id } of records.lists.get(conversation) ?? []) records.messages.delete(id);
  records.lists.delete(conversation);
}

/** Does in memory what a store has done. */
export function absorb(records: Records, writes: readonly Write[]): void {
  for (const write of writes) {
    if (write.table === 'messages') absorbMessage(records, write);
    else if (write.kind === 'put')
      (records[write.table] as Map<string, unknown>).set(write.row.key, write.row.value);
    else if (write.kind === 'remove') records[write.table].delete(write.key);
    else records[write.table].clear();
  }
}

function absorbMessage(records: Records, write: Write): void {
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

function putMessage({ lists, messages }: Records, { group, value }: Row): void {
  const list = lists.get(group);
  if (!list) return;
  const message = value as Message;
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

/** The index of the first message whose position is not less. */
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
