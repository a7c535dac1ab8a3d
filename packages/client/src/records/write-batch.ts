import { TABLES, type Table } from '../store/store.ts';
import { perTable, type Records, type Tables } from './in-memory.ts';
import type { Operation } from './operation.ts';
import type { Announcement, Message, NamedIdentity, StoredConversation } from './records.ts';
import {
  valueWrite,
  type RecordStore,
  type RecordWrite,
  type RowValues,
  type Values,
  type WriteOf,
} from './rows.ts';

type SimpleTable = Exclude<Table, 'messages'>;

const NO_OPERATIONS: readonly Operation[] = [];

/** Pending changes of records, to be written in one transaction. Reads see them. */
export class WriteBatch {
  /** Objects that must be read by REST: see `TO_REFETCH`. */
  readonly toRefetch = new Map<string, string>();
  /** Called once the batch is written and shown. */
  readonly afterWrite: (() => void)[] = [];
  readonly #store: RecordStore;
  readonly #records: Records;
  /** Writes by table and key; removals of groups by `group` and their name. */
  readonly #writes = perTable<{ readonly [T in Table]: Map<string, WriteOf<T>> }>();
  /** Changed messages; undefined for removed ones, including those removed with their group. */
  readonly #messages = new Map<string, Message | undefined>();
  readonly #inGroup = new Map<string, Set<string>>();
  readonly #fetched = new Map<string, Message>();
  readonly #fetchedLists = new Map<string, Message[]>();

  constructor(store: RecordStore, records: Records) {
    this.#store = store;
    this.#records = records;
  }

  writes(): RecordWrite[] {
    return TABLES.flatMap((table): RecordWrite[] => [...this.#writes[table].values()]);
  }

  /** Reads missing records from the store: messages by their ids, and all messages of some conversations. */
  async prefetch(ids: Iterable<string>, conversations: Iterable<string>): Promise<void> {
    const lists = [...conversations].filter((id) => !this.#records.lists.has(id));
    const wanted = [...new Set(ids)].filter((id) => !this.#records.messages.has(id));
    const [rows] = await Promise.all([
      wanted.length > 0 ? this.#store.get('messages', wanted) : [],
      ...lists.map(async (id) => {
        const found = await this.#store.list('messages', { group: id });
        const list = found.map(({ value }) => value);
        this.#fetchedLists.set(id, list);
        for (const one of list) this.#fetched.set(one.id, one);
      }),
    ]);
    for (const row of rows) if (row) this.#fetched.set(row.key, row.value);
  }

  conversation(id: string): StoredConversation | undefined {
    return this.#read('conversations', id);
  }

  /** Marks a conversation to be read again, since its state on the device may be wrong. */
  markForRefetch(id: string | undefined): void {
    if (id !== undefined && this.conversation(id)) this.toRefetch.set(id, '');
  }

  putConversation(conversation: StoredConversation): void {
    this.#put('conversations', conversation);
  }

  /** With its messages. */
  removeConversation(id: string): void {
    this.#remove('conversations', id);
    this.removeMessagesBelow(id, Infinity);
  }

  /** A message that is in memory, changed in this batch or prefetched. */
  message(id: string): Message | undefined {
    if (this.#messages.has(id)) return this.#messages.get(id);
    return this.#records.messages.get(id) ?? this.#fetched.get(id);
  }

  /** The messages of a conversation that is in memory or prefetched, including changed ones; unordered. */
  messagesOf(conversation: string): Message[] {
    const known = this.#records.lists.get(conversation) ?? this.#fetchedLists.get(conversation) ?? [];
    const unchanged = known.filter(({ id }) => !this.#messages.has(id));
    const changed = [...(this.#inGroup.get(conversation) ?? [])].map((id) => this.message(id));
    return [...unchanged, ...changed.filter((one) => one !== undefined)];
  }

  putMessage(message: Message): void {
    const { id, position: order } = message;
    const group = message.conversation.id;
    const ids = this.#inGroup.get(group);
    if (ids) ids.add(id);
    else this.#inGroup.set(group, new Set([id]));
    // Moves the write to the end, after any removal of its group.
    this.#writes.messages.delete(id);
    this.#messages.set(id, message);
    this.#writes.messages.set(id, {
      kind: 'put',
      table: 'messages',
      row: { key: id, group, order, value: message },
    });
  }

  removeMessage(id: string): void {
    this.#messages.set(id, undefined);
    this.#remove('messages', id);
  }

  removeMessagesBelow(conversation: string, below: number): void {
    for (const { id, position } of this.messagesOf(conversation)) {
      if (position >= below) continue;
      this.#messages.set(id, undefined);
      this.#writes.messages.delete(id);
    }
    const all = below === Infinity ? {} : { below };
    const name = `group ${conversation}`;
    this.#writes.messages.delete(name);
    this.#writes.messages.set(name, { kind: 'removeGroup', table: 'messages', group: conversation, ...all });
  }

  announcement(id: string): Announcement | undefined {
    return this.#read('announcements', id);
  }

  putAnnouncement(announcement: Announcement): void {
    this.#put('announcements', announcement);
  }

  removeAnnouncement(id: string): void {
    this.#remove('announcements', id);
  }

  operation(id: string): Operation | undefined {
    return this.#read('operations', id);
  }

  operations(): readonly Operation[] {
    const [before, changed] = [this.#records.operations, this.#writes.operations];
    if (before.size + changed.size === 0) return NO_OPERATIONS;
    const ids = new Set([...before.keys(), ...changed.keys()]);
    return [...ids].map((id) => this.operation(id)).filter((one) => one !== undefined);
  }

  putOperation(operation: Operation): void {
    this.#put('operations', operation);
  }

  removeOperation(id: string): void {
    this.#remove('operations', id);
  }

  identity(id: string): NamedIdentity | undefined {
    return this.#read('identities', id);
  }

  putIdentity(identity: NamedIdentity): void {
    this.#put('identities', identity);
  }

  removeIdentity(id: string): void {
    this.#remove('identities', id);
  }

  value<K extends keyof Values>(key: K): Values[K] | undefined {
    return this.#read('values', key) as Values[K] | undefined;
  }

  /** Undefined removes it. */
  setValue<K extends keyof Values>(key: K, value: Values[K] | undefined): void {
    this.#writes.values.set(key, valueWrite(key, value));
  }

  #read<T extends SimpleTable>(table: T, key: string): RowValues[T] | undefined {
    const write = this.#writes[table].get(key);
    const tables: Tables = this.#records;
    if (!write) return tables[table].get(key);
    return write.kind === 'put' ? write.row.value : undefined;
  }

  #put<T extends SimpleTable>(table: T, value: RowValues[T] & { readonly id: string }): void {
    const row = { key: value.id, group: '', order: 0, value };
    this.#writes[table].set(value.id, { kind: 'put', table, row });
  }

  #remove<T extends Table>(table: T, key: string): void {
    this.#writes[table].set(key, { kind: 'remove', table, key });
  }
}
