import { forgetPerformed } from '@parley/kit/durable/once';
import type { Context } from '../context.ts';

/** A time longer than the day for which an idempotency key is valid. */
const KEPT_MS = 90_000_000;

/** Forgets results of operations that can no longer be repeated. */
export async function forgetOperations({ db, clock }: Context): Promise<void> {
  await forgetPerformed(db, clock.now() - KEPT_MS);
}
