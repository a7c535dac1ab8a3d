import { Code } from '@connectrpc/connect';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import { DatabaseError, type Tx } from '@parley/kit/postgres';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { createEmission } from '../../log/append.ts';
import { toProblem } from '../../transaction/failures.ts';
import { conversationKey, mapByKey } from '../../sql/keys.ts';
import { progressStatements } from '../../read-state/save-progress.ts';
import { upsertConversationBitmaps } from '../../sql/read-state/conversation-bitmap.ts';
import { upsertListPlaces } from '../../sql/conversation/list-place.ts';
import { updateConversations, type LockedConversation } from '../../sql/conversation/conversation.ts';
import { markSideTable } from '../../sql/conversation/side-tables.ts';
import { insertMessages } from '../../sql/message/message.ts';
import { insertShadowed, passUnnoticed } from '../../sql/message/shadowed.ts';
import { toReset, resetReceipts } from '../../sql/read-state/receipt-reset.ts';
import { listSendStates, type SendState } from '../../sql/message/send-state.ts';
import { noteSlowSends } from '../../sql/policy/slow-send.ts';
import { write, writeLast, type Statement } from '../../sql/statement.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';
import { dropAll, dropStale, updateCache, versionsOf } from '../cached/update-cache.ts';
import { noteOutsideSenders } from './outside-senders.ts';
import { planSends, type SendPlan } from './plan.ts';
import { slowInterval } from './slow-mode.ts';

const MAX_RACES = 5;

/**
 * Stores a batch of messages in one transaction: one statement locks, one reads and one writes, for any size of batch.
 * The locks come first; then a fresh snapshot shows who may send and which ids are taken. So a participant whose
 * removal is committed cannot send, and a taken id uses no position. Messages of conversations that other transactions
 * hold are `contended`. Messages whose sender has no copy here, or is a bot to be noted, are tried in a second
 * transaction after their senders were fetched or noted. It handles all messages that such a sender
 * has for one conversation, which preserves each sender's order; messages of other senders may overtake them.
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
  const retried = [...(failure ? [] : unknown), ...indexesOf('non-participant sender')].sort((a, b) => a - b);
  if (retried.length === 0) return outcomes;
  const rest = itemsAt(retried);
  await noteOutsideSenders(ctx.db, rest.map(({ draft }) => draft)); // prettier-ignore
  const secondOutcomes = await retryOnRace(ctx, (tx) =>
    lockAndStore(ctx, tx, { items: rest, askedIdentity: true }, locking),
  );
  for (const [index, outcome] of secondOutcomes.entries()) outcomes[retried[index]!] = outcome;
  return outcomes;
}

/**
 * The outcome of messages whose senders could not be fetched from the identity service; the rest of the batch is stored
 * already.
 */
async function fetchSenders(
  ctx: Context,
  items: readonly OutgoingMessage[],
): Promise<SendOutcome | undefined> {
  if (items.length === 0) return undefined;
  try {
    await ctx.identities.fetch(items.map(({ draft }) => ({ appId: draft.appId, userId: draft.senderId })));
    return undefined;
  } catch (error) {
    return { kind: 'problem', problem: toProblem(error, ctx.log) };
  }
}

/** Sends a batch, with answers for a batcher. */
export async function answerSendBatch(
  ctx: Context,
  items: readonly OutgoingMessage[],
  locking: LockMode,
): Promise<Answer<SendOutcome>[]> {
  const outcomes = await sendBatch(ctx, items, locking);
  return outcomes.map((outcome) => (outcome.kind === 'contended' ? CONTENDED : outcome));
}

/**
 * Repeats a batch that was rolled back because another transaction took one of its ids in a different conversation; the
 * repetition finds that message.
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
  /** Senders without a copy have been fetched from the identity service. */
  askedIdentity: boolean;
};

/** Locks and stores in a transaction that does nothing else: the last statement shares its round trip with the commit. */
async function lockAndStore(
  ctx: Context,
  tx: Tx,
  batch: SendBatch,
  locking: LockMode,
): Promise<SendOutcome[]> {
  const refs = batch.items.map(({ draft }) => ({ appId: draft.appId, id: draft.conversationId }));
  const plan = await planBatch(ctx, tx, batch, lockInMode(tx, refs, locking));
  await write(tx, [noteSlowSends([...plan.slowSends.values()])]);
  if (plan.shadowed.length > 0) await storeShadowed(ctx, tx, plan);
  else if (plan.messages.length > 0) writeLast(tx, planStatements(ctx, tx, plan));
  return plan.outcomes;
}

/** Stores messages of conversations that are locked already, in a transaction that also does other work. */
export async function storeInLocked(
  ctx: Context,
  tx: Tx,
  batch: SendBatch,
  locked: LockedConversation[],
): Promise<SendOutcome[]> {
  const plan = await planBatch(ctx, tx, batch, Promise.resolve(locked));
  await write(tx, [noteSlowSends([...plan.slowSends.values()])]);
  if (plan.shadowed.length > 0) await storeShadowed(ctx, tx, plan);
  else if (plan.messages.length > 0) await write(tx, planStatements(ctx, tx, plan));
  return plan.outcomes;
}

/** Stores a batch with messages under a shadow restriction, whose positions are excluded behind what the others write. */
async function storeShadowed(ctx: Context, tx: Tx, plan: SendPlan): Promise<void> {
  await write(tx, [insertShadowed(plan.shadowed), ...planStatements(ctx, tx, plan)]);
  for (const conversation of plan.conversations)
    if (plan.shadowed.some((row) => row.conversation_id === conversation.id))
      await markSideTable(tx, conversation, 'shadow');
  for (const row of plan.shadowed) await passUnnoticed(tx, row);
}

async function planBatch(
  ctx: Context,
  tx: Tx,
  { items, askedIdentity }: SendBatch,
  locked: Promise<LockedConversation[]>,
): Promise<SendPlan> {
  const queries = items.map(({ draft }) => ({
    appId: draft.appId,
    conversationId: draft.conversationId,
    id: draft.id,
    senderId: draft.senderId,
    low: draft.low,
    exceptionUserIds: draft.contraryUserIds,
  }));
  // Sent right behind the lock statement: it starts when the locks are held, on a snapshot of its own.
  const read = listSendStates(tx, queries);
  // When the lock statement fails, this one fails, too; the lock's error is the one to report.
  read.catch(() => undefined);
  const conversations = mapByKey(await locked, ({ app_id, id }) => conversationKey(app_id, id));
  let states = await read;
  const outdated = states.filter(
    (state) => hasOutdatedReceipts(state) && conversations.has(keyOfState(state)),
  );
  if (outdated.length > 0) {
    await resetReceipts(tx, outdated.map(toReset));
    states = await listSendStates(tx, queries);
  }
  const before = versionsOf(conversations.values());
  const cacheable = cacheableSenders(states, conversations);
  dropStale(ctx.conversationCache, { before, states, cacheable: new Set(cacheable) });
  const plan = planSends(ctx, { items, conversations, states, askedIdentity });
  const progresses = plan.progresses.values();
  tx.afterCommit(
    () => updateCache(ctx.conversationCache, { ...plan, before, progresses, senders: cacheable }),
    () => dropAll(ctx.conversationCache, plan.conversations),
  );
  return plan;
}

/** Participants who may send, and whom no other participant blocks. */
function cacheableSenders(
  states: readonly SendState[],
  conversations: ReadonlyMap<string, LockedConversation>,
): SendState[] {
  const blocked = new Set(states.flatMap(({ item, role }) => (role === 'hidden' ? item : [])));
  return states.filter(
    (state) =>
      state.role === 'sender' &&
      state.member !== null &&
      state.left_seq === null &&
      state.identity_version !== null &&
      !state.identity_deleted &&
      !blocked.has(state.item) &&
      isUnrestricted(state, conversations.get(keyOfState(state))),
  );
}

/** Neither restrictions nor slow mode concern the sender, which their messages change or which end by the clock. */
function isUnrestricted(state: SendState, conversation: LockedConversation | undefined): boolean {
  if (!conversation || state.restriction_kind !== null || state.app_restriction !== null) return false;
  return slowInterval({ conversation, state }) === 0;
}

/**
 * The participant holds receipts of an erased incarnation; they are reset first, so that new ones are not erased with
 * them.
 */
function hasOutdatedReceipts({ member, incarnation, participant_incarnation }: SendState): boolean {
  return member !== null && (participant_incarnation ?? 0) < (incarnation ?? 0);
}

function keyOfState({ app_id, conversation_id }: SendState): string {
  return conversationKey(app_id, conversation_id);
}

function planStatements(ctx: Context, tx: Tx, plan: SendPlan): (Statement | undefined)[] {
  const emission = createEmission(ctx, plan.changes);
  tx.afterCommit(emission.publish, emission.doubt);
  tx.afterCommit(() => {
    for (const { app_id } of [...plan.messages, ...plan.shadowed]) ctx.figures.add(app_id, 'messages');
  }, 'found');
  return [
    insertMessages(plan.messages),
    updateConversations([...plan.conversations]),
    ...progressStatements([...plan.progresses.values()]),
    upsertConversationBitmaps([...plan.exclusions.values()]),
    upsertListPlaces([...plan.withheld.values()]),
    ...emission.statements,
  ];
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === Code.AlreadyExists;
}
