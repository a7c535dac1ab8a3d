import type { Context } from '../context.ts';
import { deleteIdentityChangesBefore } from '../sql/identity-change.ts';

/** How long a socket may have been away and still be told all that it missed. */
export const IDENTITY_CHANGES_KEPT_MS = 30 * 86_400_000;
const BATCH = 5000;

export async function sweepIdentityChanges({ db, clock }: Context): Promise<void> {
  const before = clock.now() - IDENTITY_CHANGES_KEPT_MS;
  while ((await deleteIdentityChangesBefore(db, before, BATCH)) === BATCH);
}
