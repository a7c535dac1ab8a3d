import { forgetPerformed } from '@parley/kit/once';
import type { Context } from '../context.ts';
import { EFFECT_LIFETIME_MS, KEY_LIFETIME_MS } from '../idempotency-keys.ts';
import { deleteKeysBefore } from '../sql/idempotency-key.ts';

const BATCH = 5000;

/** A key that is too old is taken anew anyway; this only makes room. */
export async function sweepOperations({ db, clock }: Context): Promise<void> {
  while ((await deleteKeysBefore(db, clock.now() - KEY_LIFETIME_MS, BATCH)) === BATCH);
  await forgetPerformed(db, clock.now() - EFFECT_LIFETIME_MS);
}
