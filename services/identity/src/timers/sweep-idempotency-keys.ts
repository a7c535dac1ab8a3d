import { forgetPerformed } from '@parley/kit/once';
import type { Context } from '../context.ts';
import { PERFORMED_LIFETIME_MS, KEY_LIFETIME_MS } from '../idempotency-keys.ts';
import { deleteIdempotencyKeysBefore } from '../sql/idempotency-key.ts';

const BATCH = 5000;

/** A key that is too old is taken anew anyway; this only makes room. */
export async function sweepIdempotencyKeys({ db, clock }: Context): Promise<void> {
  while ((await deleteIdempotencyKeysBefore(db, clock.now() - KEY_LIFETIME_MS, BATCH)) === BATCH);
  await forgetPerformed(db, clock.now() - PERFORMED_LIFETIME_MS);
}
