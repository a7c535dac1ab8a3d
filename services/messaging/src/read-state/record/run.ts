import { notFound } from '@parley/domain/problems';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import type { Tx } from '@parley/kit/postgres';
import { lockInMode, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { createEmission, type Change } from '../../log/append.ts';
import { dropAll, updateCache, versionsOf, type Versions } from '../../message/cached/update-cache.ts';
import { conversationKey, mapByKey } from '../../sql/keys.ts';
import { loadProgress, type LoadedProgress } from '../load-progress.ts';
import { progressStatements } from '../save-progress.ts';
import { listProgress, type ProgressQuery } from '../../sql/read-state/progress.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { writeLast } from '../../sql/statement.ts';
import { recordReceipt, type Receipt } from './record.ts';

/** Undefined: recorded, or without effect. */
export type ReceiptOutcome = Problem | undefined;

/** Records a batch of receipts in one transaction: one statement locks, one reads, one writes. */
export async function recordBatch(
  ctx: Context,
  receipts: readonly Receipt[],
  locking: LockMode = 'free',
): Promise<Answer<ReceiptOutcome>[]> {
  return ctx.db.tx((tx) => lockAndRecord(ctx, tx, receipts, locking));
}

async function lockAndRecord(
  ctx: Context,
  tx: Tx,
  receipts: readonly Receipt[],
  locking: LockMode,
): Promise<Answer<ReceiptOutcome>[]> {
  const locked = lockInMode(
    tx,
    receipts.map(({ place }) => ({ appId: place.app_id, id: place.conversation_id })),
    locking,
  );
  // Sent right behind the lock statement: it starts when the locks are held, on a snapshot of its own.
  const queries = receipts.map((receipt) => queryOf(ctx, receipt));
  const read = listProgress(tx, queries, 'near');
  // When the lock statement fails, this one fails, too; the lock's error is the one to report.
  read.catch(() => undefined);
  const conversations = mapByKey(await locked, ({ app_id, id }) => conversationKey(app_id, id));
  const found = receipts.map(({ place }) =>
    conversations.get(conversationKey(place.app_id, place.conversation_id)),
  );
  const rows = await read;
  const isComplete = queries.every(
    ({ hasExclusions }, index) => hasExclusions || (found[index]?.excluded_count ?? 0) === 0,
  );
  const loaded = await loadProgress(
    tx,
    queries.map((query, index) => ({ ...query, hasExclusions: true, isContended: !found[index] })),
    'near',
    isComplete ? rows : undefined,
  );
  const before = versionsOf(conversations.values());
  const changes: Change[] = [];
  const outcomes = receipts.map((receipt, index): Answer<ReceiptOutcome> => {
    const conversation = found[index];
    const participant = loaded[index];
    // The user never took part, or there is no such conversation: a restore may have undone the one that the caller knew.
    if (!participant) return notFound('message', receipt.place.id);
    // Another transaction holds it.
    if (!conversation) return CONTENDED;
    const result = applyReceipt(ctx, receipt, { conversation, loaded: participant });
    if (result.change) changes.push(result.change);
    return result.problem;
  });
  writeChanges(ctx, tx, { changes, conversations, before, loaded });
  return outcomes;
}

/** Made before the conversation is locked: the cache may be stale, so `hasExclusions` may be false by mistake. */
function queryOf({ conversationCache }: Context, { place, userId }: Receipt): ProgressQuery {
  const { app_id: appId, conversation_id: conversationId, position } = place;
  const cached = conversationCache.find(appId, conversationId);
  const hasExclusions = !cached || cached.row.excluded_count > 0;
  return { appId, conversationId, userId, position, hasExclusions };
}

type LoadedReceipt = { conversation: ConversationRow; loaded: LoadedProgress };

function applyReceipt(ctx: Context, receipt: Receipt, { conversation, loaded }: LoadedReceipt) {
  if (conversation.deleted_at !== null) return { problem: notFound('message', receipt.place.id) };
  return recordReceipt(ctx, receipt, { conversation, loaded });
}

type ReceiptChanges = {
  changes: Change[];
  conversations: ReadonlyMap<string, ConversationRow>;
  /** Their versions before the transaction. */
  before: Versions;
  loaded: readonly (LoadedProgress | undefined)[];
};

function writeChanges(
  ctx: Context,
  tx: Tx,
  { changes, conversations, before, loaded }: ReceiptChanges,
): void {
  if (changes.length === 0) return;
  const keys = new Set(changes.map(({ event }) => `${event.appId}/${event.conversationId}`));
  const progresses = new Set(loaded.flatMap((one) => one?.progress ?? []));
  const changed = [...conversations].flatMap(([key, row]) => (keys.has(key) ? row : []));
  const emission = createEmission(ctx, changes);
  writeLast(tx, [
    updateConversations(changed),
    ...progressStatements([...progresses]),
    ...emission.statements,
  ]);
  tx.afterCommit(emission.publish, emission.doubt);
  tx.afterCommit(
    () => updateCache(ctx.conversationCache, { conversations: changed, before, progresses, senders: [] }),
    () => dropAll(ctx.conversationCache, changed),
  );
}
