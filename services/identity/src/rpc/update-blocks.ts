import {
  BlockStep_Operation as Operation,
  type UpdateBlocksRequest,
  type UpdateBlocksResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import { changeBlocks, toBlockState } from '../relation/blocks.ts';
import type { Context } from '../context.ts';
import { findBlockStates } from '../sql/block.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function updateBlocks(
  ctx: Context,
  request: UpdateBlocksRequest,
): RpcResponse<typeof UpdateBlocksResponseSchema> {
  const { appId, ownerUserId: ownerId, steps } = request;
  const owner = { appId, ownerId };
  await requireUser(ctx, { appId, userId: ownerId });
  if (request.oneByPath) await requirePathUsers(ctx, request);
  const named = [...new Set(steps.flatMap(({ userIds }) => userIds))];
  const isSet = steps.some(({ operation }) => operation === Operation.SET);
  const states = await ctx.db.tx(async (tx) => {
    await changeBlocks(ctx, tx, owner, steps);
    return isSet ? [] : findBlockStates(tx, owner, named);
  });
  return { blocks: states.map(toBlockState) };
}

/** A deleted user may still be unblocked, also repeatedly. */
async function requirePathUsers(
  ctx: Context,
  { appId, ownerUserId: ownerId, steps }: UpdateBlocksRequest,
): Promise<void> {
  for (const { operation, userIds } of steps) {
    const states =
      operation === Operation.REMOVE ? await findBlockStates(ctx.db, { appId, ownerId }, userIds) : [];
    const known = new Set(states.map((state) => state.blocked_user_id));
    for (const userId of userIds) if (!known.has(userId)) await requireUser(ctx, { appId, userId });
  }
}
