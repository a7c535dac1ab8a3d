import { bitmapOf } from '../../read-state/bitmap.ts';
import { isKnown, type Progress } from '../../read-state/progress.ts';
import { conversationKey } from '../../sql/keys.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import type { KnownConversations } from './conversations.ts';

/** The senders of one conversation that are known at most. */
const MAX_SENDERS = 100;

/** What a committed transaction knows of the conversations that it changed. */
export type Lesson = {
  /** As they are stored now. */
  conversations: Iterable<ConversationRow>;
  /** The change numbers that they had before, by conversationKey. */
  before: ReadonlyMap<string, number>;
  /** The participants whose progress it read. */
  progresses: Iterable<Progress>;
  /** Senders who may send again without another look at them. */
  senders: readonly SendState[];
};

export function seqsOf(conversations: ReadonlyMap<string, ConversationRow>): Map<string, number> {
  return new Map([...conversations].map(([key, { seq }]) => [key, seq]));
}

/**
 * Remembers conversations after the commit. Senders stay known where the conversation was known as it was before the
 * transaction: then nothing else has changed them.
 */
export function learn(
  known: KnownConversations,
  { conversations, before, progresses, senders }: Lesson,
): void {
  const statesByConversation = Map.groupBy(senders, keyOf);
  const progressByConversation = Map.groupBy(progresses, ({ row }) => keyOf(row));
  for (const conversation of conversations) {
    const { app_id, id, changed_at } = conversation;
    const key = conversationKey(app_id, id);
    const earlier = known.find(app_id, id);
    const isContinued = earlier !== undefined && earlier.row.seq === before.get(key);
    const states = isContinued ? earlier.senders : new Map<string, SendState>();
    for (const state of statesByConversation.get(key) ?? []) states.set(state.user_id, state);
    for (const progress of progressByConversation.get(key) ?? []) update(states, progress, conversation.head);
    trim(states);
    if (changed_at === null || states.size === 0) known.drop(app_id, id);
    else known.put({ row: { ...conversation, changed_at }, senders: states });
  }
}

/** The senders of a batch that has locked its conversations. */
export type SeenSenders = {
  /** The change numbers of the locked conversations, by conversationKey. */
  before: ReadonlyMap<string, number>;
  states: readonly SendState[];
  /** Those that may send again without another look at them. */
  knowable: ReadonlySet<SendState>;
};

/** Forgets what such a batch finds to be outdated. */
export function unlearn(known: KnownConversations, { before, states, knowable }: SeenSenders): void {
  for (const state of states) {
    const { role, app_id, conversation_id, user_id } = state;
    const entry = known.find(app_id, conversation_id);
    if (!entry || role !== 'sender') continue;
    const seq = before.get(conversationKey(app_id, conversation_id));
    if (seq !== undefined && seq !== entry.row.seq) known.drop(app_id, conversation_id);
    const sender = entry.senders.get(user_id);
    if (sender && !(knowable.has(state) && isSameSender(sender, state))) entry.senders.delete(user_id);
  }
}

function isSameSender(one: SendState, other: SendState): boolean {
  return (
    one.identity_version === other.identity_version &&
    one.incarnation === other.incarnation &&
    one.is_awaited === other.is_awaited
  );
}

function keyOf({ app_id, conversation_id }: { app_id: string; conversation_id: string }): string {
  return conversationKey(app_id, conversation_id);
}

function update(states: Map<string, SendState>, progress: Progress, head: number): void {
  const { user_id } = progress.row;
  const state = states.get(user_id);
  if (!state) return;
  if (isKnown(progress, head + 1)) states.set(user_id, stateOfNext(state, progress, head));
  else states.delete(user_id);
}

/** Stands where the bitmap beside it, `read` or `low`, is null. */
const NO_BITMAP = new Uint8Array();

/** What the next message of a participant depends on. */
function stateOfNext(state: SendState, { row, bitmaps }: Progress, head: number): SendState {
  const bits = bitmaps.get(bitmapOf(head + 1));
  return {
    ...state,
    first_position: head + 1,
    stored_conversation_id: null,
    stored_request_id: null,
    stored_sender_id: null,
    is_reserved: false,
    read_until: row.read_until,
    delivered_until: row.delivered_until,
    hidden_until: row.hidden_until,
    covered_count: row.covered_count,
    hidden_count: row.hidden_count,
    unlisted_at: row.unlisted_at,
    read: bits?.read ?? null,
    delivered: bits?.delivered ?? NO_BITMAP,
    hidden: bits?.hidden ?? NO_BITMAP,
    contrary: bits?.contrary ?? NO_BITMAP,
    low: null,
    deleted: NO_BITMAP,
  };
}

function trim(states: Map<string, SendState>): void {
  for (const userId of states.keys()) {
    if (states.size <= MAX_SENDERS) return;
    states.delete(userId);
  }
}
