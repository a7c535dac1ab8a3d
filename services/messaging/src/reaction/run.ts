import { notFound } from '@parley/domain/problems';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import type { Tx } from '@parley/kit/postgres';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { Context } from '../context.ts';
import { dropAll, updateCache, versionsOf } from '../message/cached/update-cache.ts';
import { loadProgress, type LoadedProgress } from '../read-state/load-progress.ts';
import type { LockedConversation } from '../sql/conversation/conversation.ts';
import { conversationKey, mapByKey } from '../sql/keys.ts';
import { toStanding } from '../policy/load-standing.ts';
import { isShadowed } from '../policy/standing.ts';
import { listStandingRows, type StandingRow } from '../sql/policy/standing.ts';
import { lockInMode, type LockMode } from '../transaction/contention.ts';
import { keyOfMessage, loadReactions, type LoadedReactions } from './load.ts';
import { isOwnShadowed, judgeReaction, planReaction, type ReactionRequest } from './plan.ts';
import { writeReactions } from './write.ts';

/** Undefined: done, or nothing to do. */
export type ReactionOutcome = Problem | undefined;

/** Changes a batch of reactions in one transaction. Those to one message are one change. */
export function changeReactions(
  ctx: Context,
  requests: readonly ReactionRequest[],
  locking: LockMode = 'free',
): Promise<Answer<ReactionOutcome>[]> {
  return ctx.db.tx((tx) => lockAndChange(ctx, tx, requests, locking));
}

type Batch = {
  /** Locked, by conversationKey. */
  conversations: ReadonlyMap<string, LockedConversation>;
  /** The participants who ask, in the order of requests. */
  loaded: readonly (LoadedProgress | undefined)[];
  reactions: LoadedReactions;
  /** The standing of each who asks, in the order of requests. */
  standings: readonly StandingRow[];
};

async function lockAndChange(
  ctx: Context,
  tx: Tx,
  requests: readonly ReactionRequest[],
  locking: LockMode,
): Promise<Answer<ReactionOutcome>[]> {
  const refs = requests.map(({ place }) => ({ appId: place.app_id, id: place.conversation_id }));
  const locked = lockInMode(tx, refs, locking);
  // Sent right behind the lock statement: they start when the locks are held, on a snapshot of their own.
  const stored = Promise.all([
    loadReactions(tx, requests),
    listStandingRows(
      tx,
      requests.map(({ place, userId }) => ({
        appId: place.app_id,
        conversationId: place.conversation_id,
        userId,
      })),
    ),
  ]);
  // When the lock statement fails, these fail, too; the lock's error is the one to report.
  stored.catch(() => undefined);
  const conversations = mapByKey(await locked, ({ app_id, id }) => conversationKey(app_id, id));
  const before = versionsOf(conversations.values());
  const queries = requests.map(({ place, userId }) => ({
    appId: place.app_id,
    conversationId: place.conversation_id,
    userId,
    position: place.position,
    hasExclusions: true,
    isContended: !conversations.has(conversationKey(place.app_id, place.conversation_id)),
  }));
  const loaded = await loadProgress(tx, queries);
  const [reactions, standings] = await stored;
  const batch = { conversations, loaded, reactions, standings };
  const outcomes = requests.map((request, index) => planOne(ctx, batch, { request, index }));
  const changed = await writeReactions(ctx, tx, {
    ...reactions,
    conversations,
    isAwaited: awaitedApps(batch),
  });
  if (changed.length > 0) {
    const progresses = new Set(loaded.flatMap((one) => one?.progress ?? []));
    tx.afterCommit(
      () => updateCache(ctx.conversationCache, { conversations: changed, before, progresses, senders: [] }),
      () => dropAll(ctx.conversationCache, changed),
    );
  }
  return outcomes;
}

/** Whether another service awaits the events of an application. */
function awaitedApps({ loaded }: Batch): (appId: string) => boolean {
  const apps = new Set(loaded.flatMap((one) => (one?.isAwaited ? [one.progress.row.app_id] : [])));
  return (appId) => apps.has(appId);
}

function planOne(
  ctx: Context,
  { conversations, loaded, reactions, standings }: Batch,
  { request, index }: { request: ReactionRequest; index: number },
): Answer<ReactionOutcome> {
  const { place } = request;
  const participant = loaded[index];
  const conversation = conversations.get(conversationKey(place.app_id, place.conversation_id));
  const message = reactions.messages.get(keyOfMessage(place));
  // The user never took part, or there is no such conversation.
  if (!participant || !message) return notFound('message', place.id);
  // Another transaction holds it.
  if (!conversation) return CONTENDED;
  if (conversation.deleted_at !== null) return notFound('message', place.id);
  const now = ctx.clock.now();
  const judged = { loaded: participant, standing: standings[index]!, conversation, now };
  const refusal = judgeReaction(request, judged);
  if (refusal) return refusal;
  // Answered as any other, and without effect.
  if (isOwnShadowed(request) || isShadowed(toStanding(conversation, standings[index]!), now))
    return undefined;
  return planReaction({ request, loaded: participant, reactions: message, now });
}
