import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { releaseMessages } from '../content/release.ts';
import { listUndeletedMessages, deletedConversationQueue } from '../sql/deleted-conversation.ts';

/** Messages that one step releases, each with all its content. */
const MESSAGES_PER_STEP = 50;

/** Releases the content of conversations that were deleted for all participants, in bounded steps. */
export function createConversationReleases(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: deletedConversationQueue,
    db,
    log,
    clock,
    step: (conversation) =>
      deletedConversationQueue.work(db, conversation, async (tx) => {
        const limit = stepSize(MESSAGES_PER_STEP, conversation);
        const ids = await listUndeletedMessages(tx, conversation, limit);
        await releaseMessages(ctx, tx, { appId: conversation.app_id, ids });
        return ids.length < limit;
      }),
  });
}
