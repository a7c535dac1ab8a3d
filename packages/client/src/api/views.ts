import type { BasicIdentity } from '@parley/contract/gen/records';
import { realId } from '../pending/act.ts';
import {
  conversationShown,
  lanesOf,
  messageShown,
  pendingMessages,
  viewerOf,
  type Lanes,
} from '../pending/optimistic-view.ts';
import type { Operation } from '../records/operation.ts';
import type { Context } from '../sync/context.ts';
import { SELF } from '../records/rows.ts';
import type { Message as MessageRecord, NamedIdentity, StoredConversation } from '../records/records.ts';
import type { RecordWrite } from '../records/rows.ts';
import type { Actions } from './actions.ts';
import { Conversation } from './conversation.ts';
import { Message } from './message.ts';

type Cached<V> = {
  record: unknown;
  lane: readonly Operation[] | undefined;
  view: V;
  shown?: MessageRecord | undefined;
  /** Whether the user is not a participant of the message's conversation. */
  isOut?: boolean;
};

/** Makes the public objects for records and operations; returns the same object as long as nothing in it changes. */
export class Views {
  readonly #ctx: Context;
  readonly #actions: Actions;
  #lanes: Lanes;
  #conversations = new Map<string, Cached<Conversation | undefined>>();
  #messages = new WeakMap<MessageRecord, Cached<Message | undefined>>();
  #pending = new WeakMap<Operation, Message>();

  constructor(ctx: Context, actions: Actions) {
    this.#ctx = ctx;
    this.#actions = actions;
    this.#lanes = lanesOf(ctx.records);
  }

  /** Records have changed. */
  changed(writes: readonly RecordWrite[]): void {
    if (writes.some(({ table }) => table === 'operations')) this.#lanes = lanesOf(this.#ctx.records);
    if (!writes.some(changesNames)) return;
    this.#conversations = new Map();
    this.#messages = new WeakMap();
    this.#pending = new WeakMap();
  }

  named(identity: BasicIdentity): BasicIdentity {
    return withName(identity, this.#ctx.records.identities.get(identity.id));
  }

  conversation(id: string): Conversation | undefined {
    return this.#conversation(realId(this.#ctx, id));
  }

  /** All conversations that the user sees, in no order. */
  conversations(): Conversation[] {
    const ids = new Set([...this.#ctx.records.conversations.keys(), ...this.#lanes.keys()]);
    return [...ids].map((id) => this.#conversation(id)).filter((one) => one !== undefined);
  }

  /** Server time by which conversations are sorted; a conversation with pending messages comes first. */
  activeAt(id: string): string {
    const kinds = this.#lanes.get(id)?.map(({ action }) => action.kind);
    if (kinds?.some((kind) => kind === 'send' || kind === 'createConversation')) return '~';
    return this.#ctx.records.conversations.get(id)?.active_at ?? '';
  }

  /** The newest confirmed messages, at most `limit`, and the pending ones; the oldest first. */
  messages(id: string, limit: number): Message[] {
    const { records } = this.#ctx;
    const real = realId(this.#ctx, id);
    const from = records.conversations.get(real)?.window?.from ?? 0;
    const list = (records.lists.get(real) ?? []).slice(-limit).filter(({ position }) => position >= from);
    const confirmed = list.map((record) => this.#message(record)).filter((one) => one !== undefined);
    return [...confirmed, ...this.#pendingIn(real)];
  }

  message(conversation: string, id: string): Message | undefined {
    const record = this.#ctx.records.messages.get(id);
    if (record) return this.#message(record);
    return this.#pendingIn(realId(this.#ctx, conversation)).find((one) => one.id === id);
  }

  #message(record: MessageRecord): Message | undefined {
    const { id } = record.conversation;
    const lane = this.#lanes.get(id);
    // As on the platform, a conversation that the user has left has no unread messages.
    const isOut = this.#ctx.records.conversations.get(id)?.participants.length === 0;
    const cached = this.#messages.get(record);
    if (cached && cached.lane === lane && cached.isOut === isOut) return cached.view;
    const confirmed = isOut ? { ...record, is_unread: false } : record;
    const shown = messageShown(confirmed, lane, viewerOf(this.#ctx));
    const isKept = cached && shown === cached.shown;
    const view = isKept ? cached.view : shown && new Message(this.#actions, { record: shown });
    this.#messages.set(record, { record, lane, isOut, view, shown });
    return view;
  }

  #pendingIn(id: string): Message[] {
    const lane = this.#lanes.get(id);
    if (!lane) return [];
    return pendingMessages(this.#ctx.records, lane, viewerOf(this.#ctx)).map((shown) => {
      const { operation } = shown;
      const view = (operation && this.#pending.get(operation)) ?? new Message(this.#actions, shown);
      if (operation) this.#pending.set(operation, view);
      return view;
    });
  }

  #conversation(id: string): Conversation | undefined {
    const { records } = this.#ctx;
    const lane = this.#lanes.get(id);
    const record = records.conversations.get(id);
    const cached = this.#conversations.get(id);
    if (cached && cached.record === record && cached.lane === lane) return cached.view;
    const shown = conversationShown(records, id, lane, viewerOf(this.#ctx));
    const view = shown && new Conversation(this.#actions, shown, this.#lastMessage(shown.record));
    this.#conversations.set(id, { record, lane, view });
    return view;
  }

  #lastMessage(record: StoredConversation): Message | undefined {
    const waiting = this.#pendingIn(record.id).at(-1);
    if (waiting) return waiting;
    const last = record.last_message;
    const view = last ? this.#message(last) : undefined;
    if (view || !last) return view;
    // The user has deleted the record, but the platform has not confirmed it yet.
    const list = this.#ctx.records.lists.get(record.id) ?? [];
    return list
      .toReversed()
      .map((one) => this.#message(one))
      .find((one) => one !== undefined);
  }
}

/** Whether names are displayed differently after a write. */
function changesNames(write: RecordWrite): boolean {
  return write.table === 'identities' || (write.kind === 'put' && write.row.key === SELF);
}

function withName(identity: BasicIdentity, newer: NamedIdentity | undefined): BasicIdentity {
  if (!newer) return identity;
  const { display_name = identity.display_name, avatar_url = identity.avatar_url } = newer;
  return { ...identity, display_name, avatar_url };
}
