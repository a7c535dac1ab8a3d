import { createRounds, stepSize, type Rounds } from '@parley/kit/work-queue';
import type { Context } from '../context.ts';
import { releaseMessages } from '../content/release.ts';
import { listMessagesToRelease, releaseQueue } from '../sql/deleted-conversation.ts';

/** Messages that one step releases, each with all its content. */
const MESSAGES = 50;

/** Lets go of the content of all messages of conversations that were deleted for everybody, in bounded steps. */
export function createReleases(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    ...{ queue: releaseQueue, db, log, clock },
    step: (release) =>
      releaseQueue.work(db, release, async (tx) => {
        const limit = stepSize(MESSAGES, release);
        const ids = await listMessagesToRelease(tx, release, limit);
        await releaseMessages(ctx, tx, { appId: release.app_id, ids });
        return ids.length < limit;
      }),
  });
}
