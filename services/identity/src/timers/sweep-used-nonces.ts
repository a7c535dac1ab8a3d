import type { Context } from '../context.ts';
import { deleteUsedNoncesBefore } from '../sql/used-nonce.ts';

/** Clocks of replicas may differ, so one replica may accept a nonce a little longer than another. */
const MARGIN_MS = 60_000;
const BATCH = 5000;

/** Deletes used nonces that would be refused for their age. */
export async function sweepUsedNonces({ db, clock }: Context): Promise<void> {
  while ((await deleteUsedNoncesBefore(db, clock.now() - MARGIN_MS, BATCH)) === BATCH);
}
