import { isOutage } from '@parley/kit/postgres';
import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { deleteEmptyUsage, listAppsToSettle, lockUsage, settleUsage } from '../sql/content-usage.ts';
import { workInTurn } from './work-in-turn.ts';

/** Contents of one application that are settled in one transaction, during which none of its uploads begins. */
const STEP = 500;

/**
 * Counts contents as what they have become, in turn by application. An upload that begins does the same for its application, so this leaves
 * little to do for the next one. Then deletes the rows of users for whom nothing counts.
 */
export async function settleUsages({ db, log }: Context, signal?: AbortSignal): Promise<void> {
  /** Whether anything was settled. An application that fails is left to the next run. */
  async function settle(appId: string): Promise<boolean> {
    try {
      const settled = await db.tx(async (tx) => {
        await lockUsage(tx, appId);
        return settleUsage(tx, appId, STEP);
      });
      return settled > 0;
    } catch (error) {
      if (isOutage(error)) throw error;
      log.warn({ error, appId }, 'failed to count contents; will retry');
      return false;
    }
  }

  async function work(apps: readonly { app_id: string }[]): Promise<boolean[]> {
    const done: boolean[] = [];
    for (const { app_id: appId } of apps) done.push(await settle(appId));
    return done;
  }

  await stepsApart([
    () => workInTurn({ list: (turn) => listAppsToSettle(db, turn), work, signal }),
    () => untilLess(STEP, () => deleteEmptyUsage(db, STEP)),
  ]);
}
