import type { Context } from '../context.ts';
import { deleteRevocationsBefore } from '../sql/revocation.ts';

const LIFETIME_MS = 86_400_000;
const BATCH = 5000;

/** Deletes revocations after a day. Gateways ask twice a second; one that was away for longer clears its cache. */
export async function sweepRevocations({ db, clock }: Context): Promise<void> {
  while ((await deleteRevocationsBefore(db, clock.now() - LIFETIME_MS, BATCH)) === BATCH);
}
