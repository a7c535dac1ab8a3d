import { forgetPerformed } from '@parley/kit/once';
import type { Context } from '../context.ts';

/** Longer than the day that a key stands for its request. */
const KEPT_MS = 90_000_000;

/** Forgets what operations did that nobody can repeat any more. */
export async function sweepOperations({ db, clock }: Context): Promise<void> {
  await forgetPerformed(db, clock.now() - KEPT_MS);
}
