import type { Tx } from '@parley/kit/postgres';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import {
  endContentOfApp,
  advanceAppContentRemoval,
  appContentRemovalQueue,
  type AppContentRemoval,
} from '../sql/deleted-app.ts';

const BATCH_SIZE = 1000;

/**
 * Ends all content of deleted applications, in bounded steps, so that `purge-blobs` removes the bytes. `app-removal.ts` deletes
 * the rows: those of contents once their bytes are removed, all others at once.
 */
export function createAppContentRemovals(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: appContentRemovalQueue,
    db,
    log,
    clock,
    step: (removal) => appContentRemovalQueue.work(db, removal, (tx) => removeStep(ctx, tx, removal)),
  });
}

/** True when all content of the application has ended. */
async function removeStep({ clock }: Context, tx: Tx, removal: AppContentRemoval): Promise<boolean> {
  const { app_id: appId, ended_until: after } = removal;
  const limit = stepSize(BATCH_SIZE, removal);
  const ended = await endContentOfApp(tx, { appId, after, at: clock.now(), limit });
  const last = ended.at(-1);
  if (last === undefined) return true;
  await advanceAppContentRemoval(tx, appId, last);
  return false;
}
