import { fail, failTooMany } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import {
  BlockStep_Operation as Operation,
  type BlockStep,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import type { EventDraft } from '../events/emit.ts';
import {
  addBlocks,
  countBlocks,
  listBlockedUserIds,
  lockBlocks,
  removeBlocks,
  type BlockRow,
  type BlockStateRow,
} from '../sql/block.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';

type Owner = { appId: string; ownerId: string };

/**
 * Applies the steps in order and emits an event for each changed pair. The users are locked against erasure, so that
 * an erasure's version divides blocks into earlier and later ones. Fails with not_found (the owner), invalid_property
 * (blocks), invalid_operation.
 */
export async function changeBlocks(
  ctx: Context,
  tx: Tx,
  owner: Owner,
  steps: readonly BlockStep[],
): Promise<void> {
  await lockBlocks(tx, owner.appId, owner.ownerId);
  await requireBlockable(tx, owner, steps);
  let added = 0;
  for (const step of steps) added += await applyStep(ctx, tx, owner, step);
  if (added > 0) await requireWithinLimit(ctx, tx, owner);
}

/** For changes that add pairs. A list that exceeds the limit, from before there was one, may keep its length. */
async function requireWithinLimit({ config }: Context, tx: Tx, { appId, ownerId }: Owner): Promise<void> {
  const limit = config.maxBlocksPerUser;
  if ((await countBlocks(tx, appId, ownerId)) <= limit) return;
  failTooMany({ property: 'blocks', limit, scope: 'of a user' });
}

/** Answers by how many pairs the list grew; negative if it shrank. */
async function applyStep(ctx: Context, tx: Tx, owner: Owner, step: BlockStep): Promise<number> {
  const { operation, userIds } = step;
  if (operation === Operation.ADD) return add(ctx, tx, owner, userIds);
  if (operation === Operation.REMOVE) return -(await remove(ctx, tx, owner, userIds));
  const before = await listBlockedUserIds(tx, owner);
  const gone = before.filter((userId) => !userIds.includes(userId));
  const removed = await remove(ctx, tx, owner, gone);
  return (await add(ctx, tx, owner, userIds)) - removed;
}

async function add(ctx: Context, tx: Tx, owner: Owner, userIds: readonly string[]): Promise<number> {
  const rows = await addBlocks(tx, owner, userIds);
  await publishBlockChanges(ctx, tx, { ...owner, rows, blocked: true });
  return rows.length;
}

async function remove(ctx: Context, tx: Tx, owner: Owner, userIds: readonly string[]): Promise<number> {
  const rows = await removeBlocks(tx, owner, userIds);
  await publishBlockChanges(ctx, tx, { ...owner, rows, blocked: false });
  return rows.length;
}

async function requireBlockable(
  tx: Tx,
  { appId, ownerId }: Owner,
  steps: readonly BlockStep[],
): Promise<void> {
  const property = 'blocks';
  const added = steps.flatMap(({ operation, userIds }) => (operation === Operation.REMOVE ? [] : userIds));
  const present = await shareIdentities(tx, appId, [ownerId, ...added]);
  if (!present.has(ownerId)) failUnknownUser(ownerId);
  if (added.includes(ownerId))
    fail('invalid_property', { property, message: 'Users cannot block themselves.' });
  const unknown = added.find((userId) => !present.has(userId));
  if (unknown !== undefined)
    fail('invalid_property', { property, message: `The user ${unknown} does not exist.` });
}

type BlockChanges = Owner & { rows: readonly BlockRow[]; blocked: boolean };

async function publishBlockChanges(
  ctx: Context,
  tx: Tx,
  { appId, ownerId, rows, blocked }: BlockChanges,
): Promise<void> {
  const drafts = rows.map((row): EventDraft => {
    const { blocked_user_id: blockedUserId, version } = row;
    return {
      appId,
      body: { case: 'blockChanged', value: { ownerUserId: ownerId, blockedUserId, blocked, version } },
    };
  });
  await ctx.emit(tx, ...drafts);
}

export function toBlockState({ blocked_user_id: blockedUserId, active: blocked, version }: BlockStateRow) {
  return { blockedUserId, blocked, version };
}
