import type { Context } from '../context.ts';
import { deleteEmptyUsage, listAppsToSettle, lockUsage, settleUsage } from '../sql/content-usage.ts';
import { workInTurn } from './work-in-turn.ts';

/** Contents of one application that are settled in one transaction, during which none of its uploads begins. */
const STEP = 500;

/**
 * Counts contents as what they have become, in turn by application. An upload that begins does the same for its application, so this leaves
 * little to do for the next one. Then deletes the rows of users for whom nothing counts.
 */
export async function settleUsages({ db }: Context, signal?: AbortSignal): Promise<void> {
  await workInTurn({
    list: (turn) => listAppsToSettle(db, turn),
    work: async (apps) => {
      const done: boolean[] = [];
      for (const { app_id: appId } of apps) {
        const settled = await db.tx(async (tx) => {
          await lockUsage(tx, appId);
          return settleUsage(tx, appId, STEP);
        });
        done.push(settled > 0);
      }
      return done;
    },
    signal,
  });
  while ((await deleteEmptyUsage(db, STEP)) === STEP);
}
