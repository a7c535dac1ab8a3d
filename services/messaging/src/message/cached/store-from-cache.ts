import { Code, ConnectError } from '@connectrpc/connect';
import { isLockTimeout, isOutage, isUnknownOutcome } from '@parley/kit/postgres';
import type { Context } from '../../context.ts';
import { createEmission, type Emission } from '../../log/append.ts';
import { progressStatements } from '../../read-state/save-progress.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { conversationKey } from '../../sql/keys.ts';
import { isCacheCurrent, lockUnchangedConversations } from '../../sql/message/cached-send.ts';
import { insertMessages } from '../../sql/message/message.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import { writeLastIf } from '../../sql/statement.ts';
import type { OutgoingMessage, SendOutcome } from '../send/outgoing.ts';
import { planSends, type SendPlan } from '../send/plan.ts';
import type { CachedConversation } from './conversation-cache.ts';
import { dropAll, updateCache, versionOf } from './update-cache.ts';

/** Messages that can be planned from the cache. */
export type CachedBatch = {
  items: readonly OutgoingMessage[];
  /** The state of each item's sender. */
  states: readonly SendState[];
  /** Conversations by conversationKey. */
  conversations: ReadonlyMap<string, CachedConversation>;
};

/**
 * Selects the messages that can be stored from the cache, with their indexes: all messages of a conversation or none, which
 * keeps their order.
 */
export function selectCached(
  { conversationCache: cache }: Context,
  items: readonly OutgoingMessage[],
): { batch: CachedBatch; indexes: number[] } {
  const conversations = new Map<string, CachedConversation>();
  const others = new Set<string>();
  for (const item of items) {
    const { appId, conversationId } = item.draft;
    const key = conversationKey(appId, conversationId);
    if (others.has(key)) continue;
    const conversation = conversations.get(key) ?? cache.find(appId, conversationId);
    if (conversation && isPlainOfCached(item, conversation)) conversations.set(key, conversation);
    else others.add(key);
  }
  for (const key of others) conversations.delete(key);
  const selected = [...items.entries()].flatMap(([index, item]) => {
    const { appId, conversationId, senderId } = item.draft;
    const state = conversations.get(conversationKey(appId, conversationId))?.senders.get(senderId);
    return state ? [{ index, item, state }] : [];
  });
  const batch = {
    items: selected.map(({ item }) => item),
    states: selected.map(({ state }, index): SendState => ({ ...state, item: index })),
    conversations,
  };
  return { batch, indexes: selected.map(({ index }) => index) };
}

function isPlainOfCached({ draft }: OutgoingMessage, { senders }: CachedConversation): boolean {
  const { low, contraryUserIds, senderId, senderIncarnation } = draft;
  const state = senders.get(senderId);
  if (!state || low || contraryUserIds.length > 0) return false;
  return senderIncarnation === undefined || senderIncarnation === (state.incarnation ?? 0);
}

/**
 * Stores messages from the cache in one round trip: locks the conversations whose version is still the cached one, and writes only
 * if all are locked and all other cached state is current. Undefined: nothing was stored, and the messages have to be stored
 * after a read.
 */
export async function storeFromCache(ctx: Context, batch: CachedBatch): Promise<SendOutcome[] | undefined> {
  const attempt: Attempt = {};
  const isStored = await tryToWrite(ctx, batch, attempt);
  ctx.conversationCache.noteAttempt(isStored);
  if (!isStored || !attempt.plan || !attempt.emission) {
    attempt.emission?.drop();
    return undefined;
  }
  noteStored(ctx, batch, { plan: attempt.plan, emission: attempt.emission });
  return attempt.plan.outcomes;
}

/** The plan of the last attempt of a transaction, which may run several times. */
type Attempt = { plan?: SendPlan; emission?: Emission };

/** Tells of a batch that is committed, and keeps in the cache what it left. */
export function noteStored(
  ctx: Context,
  batch: CachedBatch,
  { plan, emission }: { plan: SendPlan; emission: Emission },
): void {
  emission.publish();
  for (const { app_id } of plan.messages) ctx.figures.add(app_id, 'messages');
  const before = new Map([...batch.conversations].map(([key, entry]) => [key, versionOf(entry)]));
  updateCache(ctx.conversationCache, {
    conversations: plan.conversations,
    before,
    progresses: plan.progresses.values(),
    senders: [],
  });
}

/**
 * Throws in an outage of the database and when a time limit has passed, since a second attempt would take as long again; false for every
 * other failure.
 */
async function tryToWrite(ctx: Context, batch: CachedBatch, attempt: Attempt): Promise<boolean> {
  try {
    // Planned here, since the time of a change must not be long before its commit, and a connection may be waited for. Both
    // results arrive with the answer to the commit, so neither is awaited here.
    const { answer } = await ctx.db.tx((tx) => {
      attempt.emission?.drop();
      const plan = planFromCache(ctx, batch);
      const emission = createEmission(ctx, plan.changes);
      Object.assign(attempt, { plan, emission });
      const { lock, condition, writes } = cachedWrite(batch, { plan, emission });
      tx.execute(lock).catch(() => undefined);
      const holds = writeLastIf(tx, condition, writes);
      // When the transaction fails, it is not awaited.
      holds.catch(() => undefined);
      return Promise.resolve({ answer: holds });
    });
    return await answer;
  } catch (error) {
    if (isUnknownOutcome(error)) {
      attempt.emission?.doubt();
      dropAll(ctx.conversationCache, attempt.plan?.conversations ?? []);
    }
    if (isOutage(error) || isLockTimeout(error) || isOverTime(error)) throw error;
    return false;
  }
}

/** Makes the statements of a planned batch: the lock, and behind it what is written if the condition holds. */
export function cachedWrite(
  { items, states, conversations }: CachedBatch,
  { plan, emission }: { plan: SendPlan; emission: Emission },
) {
  const versions = [...conversations.values()].map(({ row }) => row);
  const sends = items.map(({ draft: { id } }, index) => ({ ...states[index]!, id }));
  return {
    lock: lockUnchangedConversations(versions),
    condition: isCacheCurrent(versions, sends),
    writes: [
      insertMessages(plan.messages),
      updateConversations([...plan.conversations]),
      ...progressStatements([...plan.progresses.values()]),
      ...emission.statements,
    ],
  };
}

/** Plans the messages of a batch, each in the place that the cache says. */
export function planFromCache(ctx: Context, { items, states, conversations }: CachedBatch): SendPlan {
  const rows = new Map<string, ConversationRow>();
  for (const [key, { row }] of conversations) rows.set(key, { ...row });
  return planSends(ctx, { items, conversations: rows, states, askedIdentity: false });
}

/** Whether a time limit has passed: a second attempt would take as long again. */
export function isOverTime(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.DeadlineExceeded;
}
