import { Code } from '@connectrpc/connect';
import { DatabaseError, type Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { createEmission } from '../events.ts';
import { conversationKey, mapByKey } from '../keys.ts';
import { progressParts } from '../progress-parts.ts';
import { upsertConversationBlocks } from '../sql/conversation-block.ts';
import { lockConversations, updateConversations } from '../sql/conversation.ts';
import { insertMessages } from '../sql/message.ts';
import { listSendStates } from '../sql/send.ts';
import { write, writeLast } from '../sql/statement.ts';
import type { Outcome, Outgoing } from './outgoing.ts';
import { planSends, type Plan } from './plan.ts';

const MOST_RACES = 5;

/**
 * Stores a batch of messages in one transaction: one statement locks, one reads, one writes, whatever the batch. First
 * the lock, and only then, on a fresh snapshot, who may send and which ids are taken: a removed participant whose
 * removal is committed never posts, and an id that is taken burns no position.
 */
export async function runSends(ctx: Context, items: readonly Outgoing[]): Promise<Outcome[]> {
  const outcomes = await raceOut(ctx, (tx) =>
    storeBatch(ctx, tx, { items, askedIdentity: false, isAll: true }),
  );
  const unknown = [...outcomes.keys()].filter((index) => outcomes[index]?.kind === 'sender unknown');
  if (unknown.length === 0) return outcomes;
  const rest = unknown.flatMap((index) => items[index] ?? []);
  await ctx.identities.fetch(rest.map(({ draft }) => ({ app_id: draft.appId, user_id: draft.senderId })));
  const later = await raceOut(ctx, (tx) =>
    storeBatch(ctx, tx, { items: rest, askedIdentity: true, isAll: true }),
  );
  return outcomes.map((outcome, index) => later[unknown.indexOf(index)] ?? outcome);
}

/**
 * A batch whose id was taken meanwhile by a message of another conversation is rolled back as a whole, and finds that
 * message when it runs again.
 */
export async function raceOut<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let races = 0; ; races++) {
    try {
      return await ctx.db.tx(work);
    } catch (error) {
      if (races >= MOST_RACES || !isUniqueViolation(error)) throw error;
    }
  }
}

export type Batch = {
  items: readonly Outgoing[];
  /** The identity service was asked already for senders without a copy. */
  askedIdentity: boolean;
  /** The transaction does nothing else: what is written shares its round trip with the commit. */
  isAll?: boolean;
};

export async function storeBatch(ctx: Context, tx: Tx, batch: Batch): Promise<Outcome[]> {
  const { items, askedIdentity } = batch;
  const refs = items.map(({ draft }) => ({ app_id: draft.appId, id: draft.conversationId }));
  const locked = lockConversations(tx, refs);
  // Sent right behind: it starts when the locks are held, on a snapshot of its own.
  const read = listSendStates(
    tx,
    items.map(({ draft }) => ({
      app_id: draft.appId,
      conversation_id: draft.conversationId,
      id: draft.id,
      sender_id: draft.senderId,
      low: draft.low,
      contrary_user_ids: draft.contraryUserIds,
    })),
  );
  const [rows, states] = await Promise.all([locked, read]);
  const conversations = mapByKey(rows, conversationKey);
  const plan = planSends(ctx, { items, conversations, states, askedIdentity });
  if (plan.messages.length > 0) await writePlan(ctx, tx, plan, batch);
  return plan.outcomes;
}

async function writePlan(ctx: Context, tx: Tx, plan: Plan, { isAll = false }: Batch): Promise<void> {
  const emission = createEmission(ctx, plan.changes);
  tx.afterCommit(emission.publish);
  const parts = [
    insertMessages(plan.messages),
    updateConversations([...plan.conversations]),
    ...progressParts([...plan.progresses.values()]),
    upsertConversationBlocks([...plan.exclusions.values()]),
    ...emission.parts,
  ];
  if (isAll) writeLast(tx, parts);
  else await write(tx, parts);
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === Code.AlreadyExists;
}
