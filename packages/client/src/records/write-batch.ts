import type { Operation } from './operation.ts';
import { TABLES, type Store, type Table, type Write } from '../store/store.ts';
import { perTable, type Records } from './in-memory.ts';
import type { Announcement, Message, NamedIdentity, StoredConversation } from './records.ts';

type SimpleTable = Exclude<Table, 'messages'>;

const NO_OPERATIONS: readonly Operation[] = [];

/** Changes of records that are about to be written in one transaction. Reads see them. */
export class WriteBatch {
  /** What has to be read by REST: see `TO_READ`. */
  readonly toRefetch = new Map<string, string>();
  /** Operations that were settled, with the message that was sent. */
  readonly settled: { operation: Operation; message?: Message }[] = [];
  readonly #store: Store;
  readonly #records: Records;
  /** By table and key; removals of groups by `group` and their name. */
  readonly #writes = perTable<Write>();
  readonly #staged = perTable<unknown>();
  readonly #inGroup = new Map<string, Set<string>>();
  readonly #fetched = new Map<string, Message>();
  readonly #fetchedLists = new Map<string, Message[]>();

  constructor(store: Store, records: Records) {
    this.#store = store;
    this.#records = records;
  }

  writes(): Write[] {
    return TABLES.flatMap((table) => [...this.#writes[table].values()]);
  }

  /** Reads from the store what is not in memory: messages by their ids, and all of some conversations. */
  async prefetch(ids: Iterable<string>, conversations: Iterable<string>): Promise<void> {
    const lists = [...conversations].filter((id) => !this.#records.lists.has(id));
    const wanted = [...new Set(ids)].filter((id) => !this.#records.messages.has(id));
    const [rows] = await Promise.all([
      wanted.length > 0 ? this.#store.get('messages', wanted) : [],
      ...lists.map(async (id) => {
        const found = await this.#store.list('messages', { group: id });
        const list = found.map(({ value }) => value as Message);
        this.#fetchedLists.set(id, list);
        for (const one of list) this.#fetched.set(one.id, one);
      }),
    ]);
    for (const row of rows) if (row) this.#fetched.set(row.key, row.value as Message);
  }

  conversation(id: string): StoredConversation | undefined {
    return this.#read('conversations', id);
  }

  /** What is here of a conversation may be wrong: it is read again. */
  markForRefetch(id: string | undefined): void {
    if (id !== undefined && this.conversation(id)) this.toRefetch.set(id, '');
  }

  putConversation(conversation: StoredConversation): void {
    this.#put('conversations', conversation.id, conversation);
  }

  /** With its messages. */
  removeConversation(id: string): void {
    this.#remove('conversations', id);
    this.removeMessagesBelow(id, Infinity);
  }

  /** A message that is in memory, staged or prefetched. */
  message(id: string): Message | undefined {
    const staged = this.#staged.messages;
    if (staged.has(id)) return staged.get(id) as Message | undefined;
    return this.#records.messages.get(id) ?? this.#fetched.get(id);
  }

  /** The messages of a conversation that is in memory or prefetched, and staged ones; in any order. */
  messagesOf(conversation: string): Message[] {
    const known = this.#records.lists.get(conversation) ?? this.#fetchedLists.get(conversation) ?? [];
    const unchanged = known.filter(({ id }) => !this.#staged.messages.has(id));
    const changed = [...(this.#inGroup.get(conversation) ?? [])].map((id) => this.message(id));
    return [...unchanged, ...changed.filter((one) => one !== undefined)];
  }

  putMessage(message: Message): void {
    const group = message.conversation.id;
    const ids = this.#inGroup.get(group);
    if (ids) ids.add(message.id);
    else this.#inGroup.set(group, new Set([message.id]));
    // Staged anew at the end of the writes, so that it comes after a removal of its group.
    this.#writes.messages.delete(message.id);
    const row = { key: message.id, group, order: message.position, value: message };
    this.#stage({ kind: 'put', table: 'messages', row }, message.id, message);
  }

  removeMessage(id: string): void {
    this.#remove('messages', id);
  }

  removeMessagesBelow(conversation: string, below: number): void {
    for (const one of this.messagesOf(conversation)) {
      if (one.position >= below) continue;
      this.#staged.messages.set(one.id, undefined);
      this.#writes.messages.delete(one.id);
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
    this.#put('announcements', announcement.id, announcement);
  }

  removeAnnouncement(id: string): void {
    this.#remove('announcements', id);
  }

  operation(id: string): Operation | undefined {
    return this.#read('operations', id);
  }

  operations(): readonly Operation[] {
    if (this.#records.operations.size + this.#staged.operations.size === 0) return NO_OPERATIONS;
    const ids = new Set([...this.#records.operations.keys(), ...this.#staged.operations.keys()]);
    return [...ids].map((id) => this.operation(id)).filter((one) => one !== undefined);
  }

  putOperation(operation: Operation): void {
    this.#put('operations', operation.id, operation);
  }

  removeOperation(id: string): void {
    this.#remove('operations', id);
  }

  identity(id: string): NamedIdentity | undefined {
    return this.#read('identities', id);
  }

  putIdentity(identity: NamedIdentity): void {
    this.#put('identities', identity.id, identity);
  }

  removeIdentity(id: string): void {
    this.#remove('identities', id);
  }

  value(key: string): unknown {
    return this.#read('values', key);
  }

  /** Undefined removes it. */
  setValue(key: string, value: unknown): void {
    if (value === undefined) this.#remove('values', key);
    else this.#put('values', key, value);
  }

  #read<T>(table: SimpleTable, key: string): T | undefined {
    const staged = this.#staged[table];
    const found = staged.get(key);
    return (found !== undefined || staged.has(key) ? found : this.#records[table].get(key)) as T | undefined;
  }

  #put(table: SimpleTable, key: string, value: unknown): void {
    this.#stage({ kind: 'put', table, row: { key, group: '', order: 0, value } }, key, value);
  }

  #remove(table: Table, key: string): void {
    this.#stage({ kind: 'remove', table, key }, key, undefined);
  }

  #stage(write: Write, key: string, value: unknown): void {
    this.#staged[write.table].set(key, value);
    this.#writes[write.table].set(key, write);
  }
}
