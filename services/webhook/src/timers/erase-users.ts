import { awaitWritesBeforeErasure } from '@parley/kit/postgres/erasure-barrier';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { eraseExpansions, eraseNotices, erasureQueue, listNoticesToErase } from '../sql/erasure.ts';

/** Notices that one step deletes, each with its deliveries. */
const NOTICES_PER_STEP = 100;

/** Deletes notices about erased users, in bounded steps. */
export function createErasures({ db, log, clock }: Context): Rounds {
  return createRounds({
    queue: erasureQueue,
    db,
    log,
    clock,
    async step(erasure) {
      await awaitWritesBeforeErasure(db, erasure.app_id);
      await erasureQueue.work(db, erasure, async (tx, held) => {
        // The user was erased again: the wait above did not include writes from before that.
        if (held.version !== erasure.version) return false;
        const limit = stepSize(NOTICES_PER_STEP, erasure);
        // Queued events first: this waits for a step that is making notices of them.
        if ((await eraseExpansions(tx, erasure, limit)) === limit) return false;
        const ids = await listNoticesToErase(tx, erasure, limit);
        await eraseNotices(tx, erasure.app_id, ids);
        return ids.length < limit;
      });
    },
  });
}
