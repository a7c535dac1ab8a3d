import { createRounds, stepSize, type Rounds } from '@parley/kit/work-queue';
import type { Context } from '../context.ts';
import { releaseMessages } from '../content/release.ts';
import { listUndeletedMessages, deletedConversationQueue } from '../sql/deleted-conversation.ts';

/** Messages that one step releases, each with all its content. */
const MESSAGES_PER_STEP = 50;

/** Lets go of the content of all messages of conversations that were deleted for everybody, in bounded steps. */
export function createReleases(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    ...{ queue: deletedConversationQueue, db, log, clock },
    step: (release) =>
      deletedConversationQueue.work(db, release, async (tx) => {
        const limit = stepSize(MESSAGES_PER_STEP, release);
        const ids = await listUndeletedMessages(tx, release, limit);
        await releaseMessages(ctx, tx, { appId: release.app_id, ids });
        return ids.length < limit;
      }),
  });
}
