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
  findBlockStates,
  listBlockedUserIds,
  lockBlocks,
  removeBlocks,
  type BlockRow,
  type BlockStateRow,
} from '../sql/block.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';
import { applyBlockSteps } from './block-steps.ts';

type Owner = { appId: string; ownerId: string };

/**
 * Applies the steps in order, and stores what they amount to with an event for each changed pair: one list that is blocked and one that
 * is not any more, however many steps there are. The users are locked against erasure, so that an erasure's version divides blocks into
 * earlier and later ones. Fails with not_found (the owner), invalid_property (blocks), invalid_operation.
 */
export async function changeBlocks(
  ctx: Context,
  tx: Tx,
  owner: Owner,
  steps: readonly BlockStep[],
): Promise<void> {
  await lockBlocks(tx, owner.appId, owner.ownerId);
  await requireBlockable(tx, owner, steps);
  const before = new Set(await listConcerned(tx, owner, steps));
  const after = applyBlockSteps(before, steps);
  const added = [...after].filter((userId) => !before.has(userId));
  const removed = [...before].filter((userId) => !after.has(userId));
  const growth = added.length - removed.length;
  if (growth > 0) await requireWithinLimit(ctx, tx, { owner, growth });
  await remove(ctx, tx, owner, removed);
  await add(ctx, tx, owner, added);
}

/** Blocked users whom the steps may change: all of them for a step that sets the list, otherwise the named ones. */
async function listConcerned(tx: Tx, owner: Owner, steps: readonly BlockStep[]): Promise<string[]> {
  if (steps.some(({ operation }) => operation === Operation.SET)) return listBlockedUserIds(tx, owner);
  const named = new Set(steps.flatMap(({ userIds }) => userIds));
  const states = await findBlockStates(tx, owner, [...named]);
  return states.filter(({ active }) => active).map((state) => state.blocked_user_id);
}

/** Checks the limit for changes that add pairs. A list that already exceeded the limit when it was introduced may keep its length. */
async function requireWithinLimit(
  { config }: Context,
  tx: Tx,
  { owner: { appId, ownerId }, growth }: { owner: Owner; growth: number },
): Promise<void> {
  const limit = config.maxBlocksPerUser;
  if ((await countBlocks(tx, appId, ownerId)) + growth <= limit) return;
  failTooMany({ property: 'blocks', limit, scope: 'of a user' });
}

async function add(ctx: Context, tx: Tx, owner: Owner, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const rows = await addBlocks(tx, owner, userIds);
  await publishBlockChanges(ctx, tx, { ...owner, rows, blocked: true });
}

async function remove(ctx: Context, tx: Tx, owner: Owner, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const rows = await removeBlocks(tx, owner, userIds);
  await publishBlockChanges(ctx, tx, { ...owner, rows, blocked: false });
}

async function requireBlockable(
  tx: Tx,
  { appId, ownerId }: Owner,
  steps: readonly BlockStep[],
): Promise<void> {
  const property = 'blocks';
  const added = steps.flatMap(({ operation, userIds }) => (operation === Operation.REMOVE ? [] : userIds));
  const present = await shareIdentities(tx, appId, [...new Set([ownerId, ...added])]);
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
