import { TABLES, type Row, type Store, type Table, type Write } from '../store/store.ts';
import type { Action, Operation } from './operation.ts';
import type { Announcement, Message, NamedIdentity, StoredConversation } from './records.ts';

/**
 * The records of the store that are in memory: all conversations, operations, announcements, names and values, and the
 * messages of the conversations that are shown. It changes only by writes that the store has taken.
 */
export type Base = {
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

export function emptyBase(): Base {
  return { ...(perTable() as Omit<Base, 'lists'>), lists: new Map() };
}

/** A map for each table. */
export function perTable<V>(): Record<Table, Map<string, V>> {
  return Object.fromEntries(TABLES.map((table) => [table, new Map()])) as Record<Table, Map<string, V>>;
}

/** Reads all but the messages, and of these those whose number what the user did changes. */
export async function readBase(store: Store, base: Base): Promise<void> {
  await Promise.all(
    TABLES.map(async (table) => {
      if (table === 'messages') return;
      const map: Map<string, unknown> = base[table];
      for (const { key, value } of await store.list(table, { group: '' })) map.set(key, value);
    }),
  );
  for (const { action } of base.operations.values()) await loadCounted(store, base, action);
}

/** So many conversations keep their messages in memory though they are not shown. */
export const KEPT_LISTS = 30;

/** Takes the messages into memory by which what the user did changes the unread count, if there is room. */
export async function loadCounted(store: Store, base: Base, action: Action): Promise<void> {
  const isCounted = action.kind === 'receipt' || action.kind === 'markAllRead';
  if (isCounted && base.lists.size < KEPT_LISTS) await loadList(store, base, action.conversation);
}

/** Takes the messages of a conversation into memory. */
export async function loadList(store: Store, base: Base, conversation: string): Promise<void> {
  if (base.lists.has(conversation)) return;
  const rows = await store.list('messages', { group: conversation });
  const list = rows.map(({ value }) => value as Message).reverse();
  base.lists.set(conversation, list);
  for (const message of list) base.messages.set(message.id, message);
}

/** Lets the messages of a conversation go from memory. */
export function unloadList(base: Base, conversation: string): void {
  for (const { id } of base.lists.get(conversation) ?? []) base.messages.delete(id);
  base.lists.delete(conversation);
}

/** Does in memory what a store has done. */
export function absorb(base: Base, writes: readonly Write[]): void {
  for (const write of writes) {
    if (write.table === 'messages') absorbMessage(base, write);
    else if (write.kind === 'put')
      (base[write.table] as Map<string, unknown>).set(write.row.key, write.row.value);
    else if (write.kind === 'remove') base[write.table].delete(write.key);
    else base[write.table].clear();
  }
}

function absorbMessage(base: Base, write: Write): void {
  if (write.kind === 'put') putMessage(base, write.row);
  else if (write.kind === 'remove') removeMessage(base, write.key);
  else {
    const list = base.lists.get(write.group);
    const below = write.below ?? Infinity;
    const kept = list?.filter(({ position }) => position >= below);
    for (const { id, position } of list ?? []) if (position < below) base.messages.delete(id);
    if (kept) base.lists.set(write.group, kept);
  }
}

function putMessage({ lists, messages }: Base, { group, value }: Row): void {
  const list = lists.get(group);
  if (!list) return;
  const message = value as Message;
  messages.set(message.id, message);
  const index = placeOf(list, message.position);
  const isThere = list[index]?.position === message.position;
  if (index === list.length) list.push(message);
  else list.splice(index, isThere ? 1 : 0, message);
}

function removeMessage({ lists, messages }: Base, id: string): void {
  const message = messages.get(id);
  if (!message) return;
  messages.delete(id);
  const list = lists.get(message.conversation.id);
  const index = list ? placeOf(list, message.position) : 0;
  if (list?.[index]?.id === id) list.splice(index, 1);
}

/** The index of the first message whose position is not less. */
export function placeOf(list: readonly { position: number }[], position: number): number {
  let [low, high] = [0, list.length];
  if (high > 0 && (list[high - 1]?.position ?? 0) < position) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
