import { limits } from '@parley/contract/limits';
import { LANES_OF_MACHINE, observeBatches, refusedWith, type Batcher } from '@parley/kit/flow/batch';
import type { Context } from '../context.ts';
import { createConversationBatcher } from '../transaction/conversation-batcher.ts';
import type { ReactionRequest } from './plan.ts';
import { changeReactions, type ReactionOutcome } from './run.ts';

/** `giveUpAt`: by `performance.now()`; from then on the reaction no longer waits for its conversation. */
export type QueuedReaction = ReactionRequest & { giveUpAt: number };

export type ReactionBatcher = Batcher<QueuedReaction, ReactionOutcome>;

/** The reactions of a batch to one message are one event, which has to fit into a message of the broker. */
const MAX_BYTES = 1_048_576;
/** Bytes of a change in an event, with the user's identity: usually less; the event has room for several times as much. */
const CHANGE_BYTES = 2_048;

function sizeOf({ notification, replace }: QueuedReaction): number {
  const texts = [notification?.title, notification?.text, notification?.sound];
  const changes = replace ? limits.reactionsOfUser : 1;
  return changes * CHANGE_BYTES + Buffer.byteLength(texts.join(''));
}

/** Group commit of the reactions of all users: a storm of them waits in one queue. */
export function createReactionBatcher(ctx: Context): ReactionBatcher {
  return createConversationBatcher<QueuedReaction, ReactionOutcome>(ctx, {
    conversationOf: ({ place }) => ({ appId: place.app_id, id: place.conversation_id }),
    giveUpAt: ({ giveUpAt }) => giveUpAt,
    run: (items, locking) => changeReactions(ctx, items, locking),
    maxItems: 256,
    maxBytes: MAX_BYTES,
    sizeOf,
    lanes: LANES_OF_MACHINE,
    maxQueued: 20_000,
    observer: observeBatches(ctx.metrics, 'reactions', (problem: ReactionOutcome) =>
      problem ? refusedWith(problem) : { outcome: 'changed' },
    ),
  });
}
