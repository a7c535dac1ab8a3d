import type { Tx } from '@parley/kit/postgres';
import { createRounds, stepSize, type Rounds } from '@parley/kit/work/queue';
import type { Context } from '../context.ts';
import {
  deleteMessagesOfApp,
  deleteReferencesOfApp,
  endContentOfApp,
  advanceAppRemoval,
  appRemovalQueue,
  type AppRemoval,
} from '../sql/deleted-app.ts';

const BATCH_SIZE = 1000;

/**
 * Ends all content of deleted applications, in bounded steps, so that `purge-blobs` removes the bytes. `app-removal.ts` deletes
 * the rows that remain after that.
 */
export function createAppContentRemovals(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: appRemovalQueue,
    db,
    log,
    clock,
    step: (removal) => appRemovalQueue.work(db, removal, (tx) => removeStep(ctx, tx, removal)),
  });
}

/** True when all content of the application has ended and no reference is left. */
async function removeStep({ clock }: Context, tx: Tx, removal: AppRemoval): Promise<boolean> {
  const { app_id: appId, ended_until: after } = removal;
  const limit = stepSize(BATCH_SIZE, removal);
  const ended = await endContentOfApp(tx, { appId, after, at: clock.now(), limit });
  const last = ended.at(-1);
  if (last !== undefined) {
    await advanceAppRemoval(tx, appId, last);
    return false;
  }
  if ((await deleteReferencesOfApp(tx, appId, limit)) === limit) return false;
  return (await deleteMessagesOfApp(tx, appId, limit)) < limit;
}
