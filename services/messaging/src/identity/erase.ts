import { erasedVersion } from '@parley/domain/incarnation';
import type { Tx } from '@parley/kit/postgres';
import { compareKeys } from '../sql/keys.ts';
import { eraseBlockCopies, type BlockErasure } from '../sql/identity/block-copy.ts';
import { deleteScheduledOf, insertErasure } from '../sql/identity/erasure.ts';

export type ErasedUser = BlockErasure & {
  /** What is of an earlier incarnation is to be erased. 0: of a release before, which tells no incarnations apart. */
  version: number;
};

/** More scheduled messages of an erased user than that are left to the timer. */
const MAX_SCHEDULED_DELETED = 500;

/**
 * Erases what is of the users alone; a timer works through their conversations, which the copies of their identities ask for.
 * Called again, or late, it finds nothing: what a user who came back has is of a later incarnation. Blocks must be locked.
 */
export async function eraseUsers(tx: Tx, users: readonly ErasedUser[]): Promise<void> {
  const sorted = users.toSorted((one, other) =>
    compareKeys(one.app_id + one.user_id, other.app_id + other.user_id),
  );
  for (const user of sorted)
    if (user.version === 0) await insertErasure(tx, { ...user, version: erasedVersion(user) });
  for (const user of sorted) await eraseBlockCopies(tx, user);
  for (const user of sorted)
    await deleteScheduledOf(tx, { ...user, version: erasedVersion(user) }, MAX_SCHEDULED_DELETED);
}
