import type { Context } from '../context.ts';
import { deleteUsedNoncesBefore } from '../sql/used-nonce.ts';

/** Clocks of replicas may differ: one of them may take an expired nonce for a good one a little longer. */
const MARGIN_MS = 60_000;
const BATCH = 5000;

/** A used nonce needs no record once it would be refused for its age. */
export async function sweepUsedNonces({ db, clock }: Context): Promise<void> {
  while ((await deleteUsedNoncesBefore(db, clock.now() - MARGIN_MS, BATCH)) === BATCH);
}
