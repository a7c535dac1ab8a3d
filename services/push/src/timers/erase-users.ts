import { awaitWritesBeforeErasure } from '@parley/kit/postgres/erasure-barrier';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { eraseDeliveries, erasureQueue } from '../sql/erasure.ts';

const DELIVERIES_PER_STEP = 500;

/** Deletes the deliveries to erased users, and those with their words, in bounded steps. */
export function createErasures({ db, log, clock }: Context): Rounds {
  return createRounds({
    queue: erasureQueue,
    db,
    log,
    clock,
    async step(erasure) {
      await awaitWritesBeforeErasure(db, erasure.app_id);
      const limit = stepSize(DELIVERIES_PER_STEP, erasure);
      await erasureQueue.work(db, erasure, async (tx, held) => {
        // The user was erased again: the wait above did not include writes from before that.
        if (held.erased_at !== erasure.erased_at) return false;
        return (await eraseDeliveries(tx, erasure, limit)) < limit;
      });
    },
  });
}
