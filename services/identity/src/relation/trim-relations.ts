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

/** Most relations of a kind that may be left for the transaction of the erasure. */
const MAX_REMAINING = 500;
/** Relations that one step deletes. */
const STEP_SIZE = 500;

/**
 * Deletes relations of a user until one transaction can delete the rest. It runs before the erasure, so that
 * relations of a later incarnation are not touched; a user with so many relations is deleted first. If the request
 * ends early, a repeated request goes on where it ended.
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

/** The erasure ends all blocks in messaging. Until then these events keep both services in agreement. */
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
