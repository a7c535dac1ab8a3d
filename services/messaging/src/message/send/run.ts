import { Code } from '@connectrpc/connect';
import { CONTENDED, type Answer } from '@parley/kit/batch';
import { DatabaseError, type Tx } from '@parley/kit/postgres';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { createEmission } from '../../log/append.ts';
import { toProblem } from '../../transaction/failures.ts';
import { conversationKey, mapByKey } from '../../sql/keys.ts';
import { progressParts } from '../../reading/save-progress.ts';
import { upsertConversationBitmaps } from '../../sql/reading/conversation-bitmap.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { insertMessages } from '../../sql/message/message.ts';
import { resetReceipts } from '../../sql/reading/receipt-reset.ts';
import { listSendStates, type SendState } from '../../sql/message/send-state.ts';
import { write, writeLast, type Part } from '../../sql/statement.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';
import { noteOutsideSenders } from './outside-senders.ts';
import { planSends, type SendPlan } from './plan.ts';

const MAX_RACES = 5;

/**
 * Stores a batch of messages in one transaction: one statement locks, one reads, one writes, whatever the batch. First
 * the lock, and only then, on a fresh snapshot, who may send and which ids are taken: a removed participant whose
 * removal is committed never posts, and an id that is taken burns no position. Messages of conversations that are held
 * by others are `contended`. Senders without a copy here are asked for, bots that do not take part are
 * noted, and both are tried in a second transaction: all messages of such a sender to a conversation go there, so that each
 * sender's own order holds, and those of other senders may come first.
 */
export async function sendBatch(
  ctx: Context,
  items: readonly OutgoingMessage[],
  locking: LockMode = 'free',
): Promise<SendOutcome[]> {
  const outcomes = await retryOnRace(ctx, (tx) =>
    lockAndStore(ctx, tx, { items, askedIdentity: false }, locking),
  );
  const indexesOf = (kind: SendOutcome['kind']): number[] =>
    [...outcomes.keys()].filter((index) => outcomes[index]?.kind === kind);
  const itemsAt = (indexes: readonly number[]): OutgoingMessage[] =>
    indexes.flatMap((index) => items[index] ?? []);
  const unknown = indexesOf('unknown sender');
  const failure = await fetchSenders(ctx, itemsAt(unknown));
  for (const index of failure ? unknown : []) outcomes[index] = failure ?? outcomes[index]!;
  const retried = [...(failure ? [] : unknown), ...indexesOf('outside sender')].sort((a, b) => a - b);
  if (retried.length === 0) return outcomes;
  const rest = itemsAt(retried);
  await noteOutsideSenders(ctx.db, rest.map(({ draft }) => draft)); // prettier-ignore
  const secondOutcomes = await retryOnRace(ctx, (tx) =>
    lockAndStore(ctx, tx, { items: rest, askedIdentity: true }, locking),
  );
  return outcomes.map((outcome, index) => secondOutcomes[retried.indexOf(index)] ?? outcome);
}

/** What becomes of messages whose senders the identity service could not be asked for: the others are stored already. */
async function fetchSenders(
  ctx: Context,
  items: readonly OutgoingMessage[],
): Promise<SendOutcome | undefined> {
  if (items.length === 0) return undefined;
  try {
    await ctx.identities.fetch(items.map(({ draft }) => ({ app_id: draft.appId, user_id: draft.senderId })));
    return undefined;
  } catch (error) {
    return { kind: 'problem', problem: toProblem(error, ctx.log) };
  }
}

/** The same as answers for a batcher. */
export async function answerSendBatch(
  ctx: Context,
  items: readonly OutgoingMessage[],
  locking: LockMode,
): Promise<Answer<SendOutcome>[]> {
  const outcomes = await sendBatch(ctx, items, locking);
  return outcomes.map((outcome) => (outcome.kind === 'contended' ? CONTENDED : outcome));
}

/**
 * A batch whose id was taken meanwhile by a message of another conversation is rolled back as a whole, and finds that
 * message when it runs again.
 */
export async function retryOnRace<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let races = 0; ; races++) {
    try {
      return await ctx.db.tx(work);
    } catch (error) {
      if (races >= MAX_RACES || !isUniqueViolation(error)) throw error;
    }
  }
}

export type SendBatch = {
  items: readonly OutgoingMessage[];
  /** The identity service was asked already for senders without a copy. */
  askedIdentity: boolean;
};

/** In a transaction that does nothing else: what is written shares its round trip with the commit. */
async function lockAndStore(
  ctx: Context,
  tx: Tx,
  batch: SendBatch,
  locking: LockMode,
): Promise<SendOutcome[]> {
  const refs = batch.items.map(({ draft }) => ({ app_id: draft.appId, id: draft.conversationId }));
  const plan = await planBatch(ctx, tx, batch, lockInMode(tx, refs, locking));
  if (plan.messages.length > 0) writeLast(tx, planParts(ctx, tx, plan));
  return plan.outcomes;
}

/** Stores messages of conversations that are locked already, within a transaction that does other work as well. */
export async function storeInLocked(
  ctx: Context,
  tx: Tx,
  batch: SendBatch,
  locked: ConversationRow[],
): Promise<SendOutcome[]> {
  const plan = await planBatch(ctx, tx, batch, Promise.resolve(locked));
  if (plan.messages.length > 0) await write(tx, planParts(ctx, tx, plan));
  return plan.outcomes;
}

async function planBatch(
  ctx: Context,
  tx: Tx,
  { items, askedIdentity }: SendBatch,
  locked: Promise<ConversationRow[]>,
): Promise<SendPlan> {
  const queries = items.map(({ draft }) => ({
    app_id: draft.appId,
    conversation_id: draft.conversationId,
    id: draft.id,
    sender_id: draft.senderId,
    low: draft.low,
    contrary_user_ids: draft.contraryUserIds,
  }));
  // Sent right behind the locks: it starts when they are held, on a snapshot of its own.
  const read = listSendStates(tx, queries);
  // When the lock fails, so does what follows it, for a reason that says nothing.
  read.catch(() => undefined);
  const conversations = mapByKey(await locked, conversationKey);
  let states = await read;
  const outdated = states.filter(
    (state) => hasOutdatedReceipts(state) && conversations.has(keyOfState(state)),
  );
  if (outdated.length > 0) {
    await resetReceipts(tx, outdated);
    states = await listSendStates(tx, queries);
  }
  return planSends(ctx, { items, conversations, states, askedIdentity });
}

/** The participant holds the receipts of an incarnation that is erased: what is added is not to go with them. */
function hasOutdatedReceipts({ member, incarnation, participant_incarnation }: SendState): boolean {
  return member !== null && (participant_incarnation ?? 0) < (incarnation ?? 0);
}

function keyOfState({ app_id, conversation_id }: SendState): string {
  return conversationKey({ app_id, id: conversation_id });
}

function planParts(ctx: Context, tx: Tx, plan: SendPlan): (Part | undefined)[] {
  const emission = createEmission(ctx, plan.changes);
  tx.afterCommit(emission.publish);
  return [
    insertMessages(plan.messages),
    updateConversations([...plan.conversations]),
    ...progressParts([...plan.progresses.values()]),
    upsertConversationBitmaps([...plan.exclusions.values()]),
    ...emission.parts,
  ];
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === Code.AlreadyExists;
}
