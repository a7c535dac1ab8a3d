import { isOutage } from '@parley/kit/postgres';
import type { Context } from '../../context.ts';
import { createEmission } from '../../log/append.ts';
import { progressStatements } from '../../read-state/save-progress.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { conversationKey } from '../../sql/keys.ts';
import { areSendsAsKnown, lockUnchangedConversations, type KnownSend } from '../../sql/message/known-send.ts';
import { insertMessages } from '../../sql/message/message.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import { writeLastIf, type Statement } from '../../sql/statement.ts';
import type { OutgoingMessage, SendOutcome } from '../send/outgoing.ts';
import { planSends, type SendPlan } from '../send/plan.ts';
import type { KnownConversation } from './conversations.ts';
import { learn } from './learn.ts';

/** Messages of known senders in known conversations. */
export type KnownBatch = {
  items: readonly OutgoingMessage[];
  /** By conversationKey. */
  conversations: ReadonlyMap<string, KnownConversation>;
};

/**
 * The messages of a batch that can be stored by what is known, and their indexes: of one conversation all or none, which
 * preserves their order.
 */
export function chooseKnown(
  ctx: Context,
  items: readonly OutgoingMessage[],
): { batch: KnownBatch; indexes: number[] } {
  const conversations = new Map<string, KnownConversation>();
  const unknown = new Set<string>();
  for (const item of items) {
    const { appId, conversationId } = item.draft;
    const key = conversationKey(appId, conversationId);
    if (unknown.has(key)) continue;
    const conversation = conversations.get(key) ?? ctx.known.find(appId, conversationId);
    if (conversation && isPlainOfKnown(item, conversation)) conversations.set(key, conversation);
    else unknown.add(key);
  }
  for (const key of unknown) conversations.delete(key);
  const indexes = [...items.keys()].filter((index) => {
    const { appId, conversationId } = items[index]!.draft;
    return conversations.has(conversationKey(appId, conversationId));
  });
  return { batch: { items: indexes.map((index) => items[index]!), conversations }, indexes };
}

function isPlainOfKnown({ draft }: OutgoingMessage, { senders }: KnownConversation): boolean {
  const { low, contraryUserIds, senderId, senderIncarnation } = draft;
  const state = senders.get(senderId);
  if (!state || low || contraryUserIds.length > 0) return false;
  return senderIncarnation === undefined || senderIncarnation === (state.incarnation ?? 0);
}

/**
 * Stores messages by what is known, in one round trip to the database: the conversations are locked if they are as known, and the
 * messages are written if all locks were taken and everything else that they depend on is as known, too. Undefined: nothing was
 * stored, and the messages are to be stored by what the database says.
 */
export async function storeKnown(ctx: Context, batch: KnownBatch): Promise<SendOutcome[] | undefined> {
  const plan = planKnown(ctx, batch);
  const emission = createEmission(ctx, plan.changes);
  const isStored = await writeIfAsKnown(ctx, batch, [
    insertMessages(plan.messages),
    updateConversations([...plan.conversations]),
    ...progressStatements([...plan.progresses.values()]),
    ...emission.statements,
  ]);
  ctx.known.noteTry(isStored);
  if (!isStored) {
    emission.drop();
    return undefined;
  }
  emission.publish();
  for (const { app_id } of plan.messages) ctx.figures.add(app_id, 'messages');
  const before = new Map([...batch.conversations].map(([key, { row }]) => [key, row.seq]));
  learn(ctx.known, { ...plan, before, progresses: plan.progresses.values(), senders: [] });
  return plan.outcomes;
}

/** Fails in an outage alone. */
async function writeIfAsKnown(
  ctx: Context,
  batch: KnownBatch,
  statements: (Statement | undefined)[],
): Promise<boolean> {
  const conversations = [...batch.conversations.values()].map(({ row }) => row);
  const condition = areSendsAsKnown(conversations, knownSends(batch));
  try {
    // The answers arrive with that to the commit, so nothing waits for them before.
    const { answer } = await ctx.db.tx((tx) => {
      lockUnchangedConversations(tx, conversations).catch(() => undefined);
      return Promise.resolve({ answer: writeLastIf(tx, condition, statements) });
    });
    return await answer;
  } catch (error) {
    if (!isOutage(error)) return false;
    // A standby that lacks the last changes may take over.
    ctx.known.clear();
    throw error;
  }
}

function planKnown(ctx: Context, { items, conversations }: KnownBatch): SendPlan {
  const rows = new Map<string, ConversationRow>();
  for (const [key, { row }] of conversations) rows.set(key, { ...row });
  const states = items.map((item, index): SendState => ({ ...stateOf(item, conversations), item: index }));
  return planSends(ctx, { items, conversations: rows, states, askedIdentity: false });
}

function stateOf({ draft }: OutgoingMessage, conversations: KnownBatch['conversations']): SendState {
  return conversations.get(conversationKey(draft.appId, draft.conversationId))!.senders.get(draft.senderId)!;
}

function knownSends({ items, conversations }: KnownBatch): KnownSend[] {
  return items.map((item) => {
    const { app_id, conversation_id, identity_version, incarnation, is_awaited } = stateOf(
      item,
      conversations,
    );
    const { id, senderId: sender_id } = item.draft;
    return { app_id, conversation_id, id, sender_id, identity_version, incarnation, is_awaited };
  });
}
