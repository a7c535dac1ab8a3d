import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import { forgetGoneItems } from '@parley/kit/durable/gone-items';
import type { Context } from '../context.ts';
import { deleteSettledBefore } from '../sql/delivery-settlement.ts';
import { forgetErasedBefore } from '../sql/erasure.ts';

const DAY_MS = 86_400_000;
/** docs/protocol/messages.md#notifications */
const KEPT_MS = 3 * DAY_MS;
/** A time longer than an event may be late. */
const ERASED_KEPT_MS = 15 * DAY_MS;
const BATCH = 2000;

/** Deletes settled deliveries after three days. */
export async function sweepDeliveries({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  await stepsApart([
    () => untilLess(BATCH, () => deleteSettledBefore(db, now - KEPT_MS, BATCH)),
    () => forgetErasedBefore(db, now - ERASED_KEPT_MS),
    () => forgetGoneItems(db),
  ]);
}
