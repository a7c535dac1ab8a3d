import type { Tx } from '@parley/kit/postgres';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { releaseMessages } from '../content/release.ts';
import { eraseContent, erasureQueue, listMessagesToErase, type Erasure } from '../sql/erasure.ts';

/** Messages that one step releases, each with all its content. */
const MESSAGES_PER_STEP = 50;
/** Uploads that one step ends. */
const UPLOADS_PER_STEP = 500;

/** Removes the content of erased users' messages, and their uploads without a message, in bounded steps. */
export function createErasures(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: erasureQueue,
    db,
    log,
    clock,
    step: (erasure) => erasureQueue.work(db, erasure, (tx, held) => eraseStep(ctx, tx, held)),
  });
}

/** True when nothing of the user is left. Messages and uploads take separate steps: a transaction locks content once. */
async function eraseStep(ctx: Context, tx: Tx, erasure: Erasure): Promise<boolean> {
  const ids = await listMessagesToErase(tx, erasure, stepSize(MESSAGES_PER_STEP, erasure));
  if (ids.length > 0) {
    await releaseMessages(ctx, tx, { appId: erasure.app_id, ids });
    return false;
  }
  const limit = stepSize(UPLOADS_PER_STEP, erasure);
  return (await eraseContent(tx, erasure, { at: ctx.clock.now(), limit })) < limit;
}
