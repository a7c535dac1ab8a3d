import { createErasures } from '@parley/kit/durable/work/erasures';
import { stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { eraseExpansions, eraseNotices, erasureQueue, listNoticesToErase } from '../sql/erasure.ts';

/** Notices that one step deletes, each with its deliveries. */
const NOTICES_PER_STEP = 100;

/** Deletes notices about erased users. */
export function eraseUsers(ctx: Context): Rounds {
  return createErasures(ctx, {
    queue: erasureQueue,
    afterWrites: 'version',
    steps: [
      // Queued events first: this waits for a step that is making notices of them.
      async (tx, erasure) => {
        const limit = stepSize(NOTICES_PER_STEP, erasure);
        return (await eraseExpansions(tx, erasure, limit)) < limit;
      },
      async (tx, erasure) => {
        const limit = stepSize(NOTICES_PER_STEP, erasure);
        const ids = await listNoticesToErase(tx, erasure, limit);
        await eraseNotices(tx, erasure.app_id, ids);
        return ids.length < limit;
      },
    ],
  });
}
