import { erasedVersion } from '@parley/domain/incarnation';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { dropScheduledOfErased } from '../message/schedule/drop.ts';
import { compareKeys } from '../sql/keys.ts';
import { eraseBlockCopies, type BlockErasure } from '../sql/identity/block-copy.ts';
import { insertErasure } from '../sql/identity/erasure.ts';

export type ErasedUser = BlockErasure & {
  /** Data of earlier incarnations is erased. 0: sent by the release before, which had no incarnations. */
  version: number;
};

/** Scheduled messages that are deleted at once; a timer deletes further ones. */
const MAX_SCHEDULED_DELETED = 500;

/**
 * Erases what belongs to the users alone. A timer works through their conversations, which the erasure in the identity
 * copy requests. A repeated or late call erases nothing of a user who was created again, whose data has a later
 * incarnation. The block copies must be locked.
 */
export async function eraseUsers(ctx: Context, tx: Tx, users: readonly ErasedUser[]): Promise<void> {
  const sorted = users.toSorted((one, other) =>
    compareKeys(one.appId + one.userId, other.appId + other.userId),
  );
  for (const user of sorted)
    if (user.version === 0) await insertErasure(tx, { ...user, version: erasedVersion(user) });
  for (const user of sorted) await eraseBlockCopies(tx, user);
  for (const user of sorted)
    await dropScheduledOfErased(ctx, tx, { ...user, version: erasedVersion(user) }, MAX_SCHEDULED_DELETED);
}
