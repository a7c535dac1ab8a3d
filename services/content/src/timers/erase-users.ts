import { createErasures } from '@parley/kit/durable/work/erasures';
import { stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { releaseMessages } from '../content/release.ts';
import { eraseContent, erasureQueue, listMessagesToErase } from '../sql/erasure.ts';

/** Messages that one step releases, each with all its content. */
const MESSAGES_PER_STEP = 50;
/** Uploads that one step ends. */
const UPLOADS_PER_STEP = 500;

/**
 * Removes the content of erased users' messages, and their uploads without a message. Messages and uploads take separate transactions, since
 * one locks content once.
 */
export function eraseUsers(ctx: Context): Rounds {
  return createErasures(ctx, {
    queue: erasureQueue,
    steps: [
      async (tx, erasure) => {
        const ids = await listMessagesToErase(tx, erasure, stepSize(MESSAGES_PER_STEP, erasure));
        if (ids.length > 0) await releaseMessages(ctx, tx, { appId: erasure.app_id, ids });
        return ids.length === 0;
      },
      async (tx, erasure) => {
        const limit = stepSize(UPLOADS_PER_STEP, erasure);
        return (await eraseContent(tx, erasure, { at: ctx.clock.now(), limit })) < limit;
      },
    ],
  });
}
