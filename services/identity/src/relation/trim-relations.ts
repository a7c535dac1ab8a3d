import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import type { EventDraft } from '../events/emit.ts';
import { nextBlockVersion } from '../sql/block.ts';
import { advanceFollowingStamps } from '../sql/following.ts';
import { lockIdentity, type UserKey } from '../sql/identity.ts';
import {
  deleteExcessRelations,
  listExcessRelations,
  type EndedBlock,
  type RelationKind,
} from '../sql/excess-relation.ts';
import { removeUser } from '../identity/users.ts';

/** Relations of a kind that the transaction which erases a user deletes. */
const MAX_REMAINING = 2000;
/** Relations that one step before it deletes. */
const STEP_SIZE = 2000;

/**
 * Deletes the relations of a user, but for so many that one transaction can delete the rest. It is done before the user is
 * erased, so that what a later incarnation adds is not touched; a user with so many relations is deleted first. What was deleted
 * stays deleted when the request ends before all is: a repeated one goes on from there.
 */
export async function trimRelations(ctx: Context, user: UserKey): Promise<void> {
  for (;;) {
    const [part] = await listExcessRelations(ctx.db, user, MAX_REMAINING);
    if (part === undefined) return;
    await ctx.db.tx((tx) => trimStep(ctx, tx, { ...user, part }));
  }
}

async function trimStep(
  ctx: Context,
  tx: Tx,
  { part, ...user }: UserKey & { part: RelationKind },
): Promise<void> {
  const identity = await lockIdentity(tx, user);
  if (!identity) return;
  if (!identity.deleted) await removeUser(ctx, tx, user);
  await advanceFollowingStamps(tx, user.appId, ['']);
  const ended = await deleteExcessRelations(tx, user, { part, kept: MAX_REMAINING, limit: STEP_SIZE });
  if (ended.length > 0) await publishEndedBlocks(ctx, tx, { appId: user.appId, ended });
}

/** The erasure itself ends all blocks in messaging; until then both services agree on those that are there. */
async function publishEndedBlocks(
  ctx: Context,
  tx: Tx,
  { appId, ended }: { appId: string; ended: readonly EndedBlock[] },
): Promise<void> {
  const next = await nextBlockVersion(tx);
  const drafts = ended.map((row): EventDraft => {
    const { owner_user_id: ownerUserId, blocked_user_id: blockedUserId } = row;
    const version = Math.max(next, row.version + 1);
    return {
      appId,
      body: { case: 'blockChanged', value: { ownerUserId, blockedUserId, blocked: false, version } },
    };
  });
  await ctx.emit(tx, ...drafts);
}
