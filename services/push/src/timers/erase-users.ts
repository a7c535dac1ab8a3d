import { createErasures } from '@parley/kit/durable/work/erasures';
import { stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { eraseDeliveries, erasureQueue } from '../sql/erasure.ts';

const DELIVERIES_PER_STEP = 500;

/** Deletes the deliveries to erased users, and those with their words. */
export function eraseUsers(ctx: Context): Rounds {
  return createErasures(ctx, {
    queue: erasureQueue,
    afterWrites: 'erased_at',
    steps: [
      async (tx, erasure) => {
        const limit = stepSize(DELIVERIES_PER_STEP, erasure);
        return (await eraseDeliveries(tx, erasure, limit)) < limit;
      },
    ],
  });
}
