import { bitmapOf } from '../../read-state/bitmap.ts';
import { isKnown, type Progress } from '../../read-state/progress.ts';
import { conversationKey } from '../../sql/keys.ts';
import type { ConversationRow, LockedConversation } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import type { CachedConversation, ConversationCache } from './conversation-cache.ts';

/** Maximum number of cached senders of a conversation. */
const MAX_SENDERS = 100;

/** The values by which a state of a conversation differs from all others. `changedAt`: seconds since the epoch, with microseconds. */
export type Version = { seq: number; head: number; changedAt: number };

/** Versions by conversationKey. */
export type Versions = ReadonlyMap<string, Version>;

/** A committed transaction's additions to the cache. */
export type CacheUpdate = {
  /** The conversations that it changed, as they are stored now. */
  conversations: Iterable<ConversationRow>;
  /** Their versions before the transaction. */
  before: Versions;
  /** The participants whose progress it read. */
  progresses: Iterable<Progress>;
  /** Senders whose state may be cached. */
  senders: readonly SendState[];
};

/** The versions of conversations that a transaction has locked and not changed yet. */
export function versionsOf(locked: Iterable<LockedConversation>): Versions {
  return new Map(
    [...locked].map(({ app_id, id, seq, head, stored_changed_at }) => [
      conversationKey(app_id, id),
      { seq, head, changedAt: stored_changed_at },
    ]),
  );
}

/** The version at which an entry is current. */
export function versionOf({ row }: CachedConversation): Version {
  return { seq: row.seq, head: row.head, changedAt: row.changed_at / 1000 };
}

function isCurrent(entry: CachedConversation, version: Version | undefined): boolean {
  const { seq, head, changedAt } = versionOf(entry);
  return seq === version?.seq && head === version.head && changedAt === version.changedAt;
}

/**
 * Caches the conversations that a transaction has changed. Cached senders are kept only if the entry was current before this
 * transaction: then no other transaction has changed them.
 */
export function updateCache(
  cache: ConversationCache,
  { conversations, before, progresses, senders }: CacheUpdate,
): void {
  const statesByConversation = Map.groupBy(senders, keyOf);
  const progressByConversation = Map.groupBy(progresses, ({ row }) => keyOf(row));
  for (const conversation of conversations) {
    const { app_id, id, changed_at } = conversation;
    const key = conversationKey(app_id, id);
    const earlier = cache.find(app_id, id);
    const isContinued = earlier !== undefined && isCurrent(earlier, before.get(key));
    const states = isContinued ? earlier.senders : new Map<string, SendState>();
    for (const state of statesByConversation.get(key) ?? []) states.set(state.user_id, state);
    for (const progress of progressByConversation.get(key) ?? []) update(states, progress, conversation.head);
    trim(states);
    if (changed_at === null || states.size === 0) cache.drop(app_id, id);
    else cache.put({ row: { ...conversation, changed_at }, senders: states });
  }
}

/**
 * Keeps a cached conversation with its senders after a transaction that changed its row, but no sender. `before`: the conversation as
 * the transaction locked it.
 */
export function keepCached(cache: ConversationCache, conversation: ConversationRow, before: Versions): void {
  updateCache(cache, { conversations: [conversation], before, progresses: [], senders: [] });
}

/** Drops the entry of a conversation that a transaction has changed, unless the entry knows of that change. */
export function dropOutdated(
  cache: ConversationCache,
  { app_id, id, seq, head, changed_at }: ConversationRow,
): void {
  const row = cache.find(app_id, id)?.row;
  if (row && (row.seq < seq || row.head < head || row.changed_at < (changed_at ?? 0))) cache.drop(app_id, id);
}

/** Drops the entries of conversations that may have been changed. */
export function dropAll(cache: ConversationCache, conversations: Iterable<ConversationRow>): void {
  for (const { app_id, id } of conversations) cache.drop(app_id, id);
}

/** The senders of a batch that has locked its conversations. */
export type SeenSenders = {
  /** The versions of the locked conversations. */
  before: Versions;
  states: readonly SendState[];
  /** States that may be cached. */
  cacheable: ReadonlySet<SendState>;
};

/** Drops the entries, and senders of entries, that such a batch found stale. */
export function dropStale(cache: ConversationCache, { before, states, cacheable }: SeenSenders): void {
  for (const state of states) {
    const { role, app_id, conversation_id, user_id } = state;
    const entry = cache.find(app_id, conversation_id);
    if (!entry || role !== 'sender') continue;
    const version = before.get(conversationKey(app_id, conversation_id));
    const sender = entry.senders.get(user_id);
    const isOutdated = version !== undefined && !isCurrent(entry, version);
    // What other services await concerns all senders, and so does the type.
    const isOther =
      sender && (sender.is_awaited !== state.is_awaited || sender.type_version !== state.type_version);
    if (isOutdated || isOther) cache.drop(app_id, conversation_id);
    else if (sender && !(cacheable.has(state) && isSameIdentity(sender, state)))
      entry.senders.delete(user_id);
  }
}

function isSameIdentity(one: SendState, other: SendState): boolean {
  return one.identity_version === other.identity_version && one.incarnation === other.incarnation;
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

/** Placeholder for the other bitmaps of a row that does not exist, whose `read` or `low` is null. */
const NO_BITMAP = new Uint8Array();

/** The state from which a participant's next message is planned. */
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
    read: bits ? copyOf(bits.read) : null,
    delivered: bits ? copyOf(bits.delivered) : NO_BITMAP,
    hidden: bits ? copyOf(bits.hidden) : NO_BITMAP,
    contrary: bits ? copyOf(bits.contrary) : NO_BITMAP,
    low: null,
    deleted: NO_BITMAP,
  };
}

/** Not a part of the memory of an answer of the database, which it would keep alive. */
function copyOf(bitmap: Uint8Array): Uint8Array {
  return bitmap.byteLength === bitmap.buffer.byteLength ? bitmap : Uint8Array.from(bitmap);
}

function trim(states: Map<string, SendState>): void {
  for (const userId of states.keys()) {
    if (states.size <= MAX_SENDERS) return;
    states.delete(userId);
  }
}
