import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import { forgetPerformed } from '@parley/kit/durable/once';
import type { Context } from '../context.ts';
import { PERFORMED_LIFETIME_MS, KEY_LIFETIME_MS } from '../idempotency/lifetimes.ts';
import { deleteIdempotencyKeysBefore } from '../sql/idempotency-key.ts';
import { deleteUsageBefore } from '../sql/idempotency-usage.ts';

const BATCH = 5000;

/** Deletes expired keys to free space; an expired key may be used again in any case. */
export async function sweepIdempotencyKeys({ db, clock }: Context): Promise<void> {
  const before = clock.now() - KEY_LIFETIME_MS;
  await stepsApart([
    () => untilLess(BATCH, () => deleteIdempotencyKeysBefore(db, before, BATCH)),
    () => untilLess(BATCH, () => deleteUsageBefore(db, before, BATCH)),
    () => forgetPerformed(db, clock.now() - PERFORMED_LIFETIME_MS),
  ]);
}
