import { forgetPerformed } from '@parley/kit/durable/once';
import type { Context } from '../context.ts';

/** A time longer than the day for which an idempotency key is valid. */
const KEPT_MS = 90_000_000;

/** Deletes the results of operations that cannot be repeated any more. */
export async function sweepOperations({ db, clock }: Context): Promise<void> {
  await forgetPerformed(db, clock.now() - KEPT_MS);
}
