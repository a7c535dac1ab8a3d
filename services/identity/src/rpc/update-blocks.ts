import {
  BlockStep_Operation as Operation,
  type UpdateBlocksRequest,
  type UpdateBlocksResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import { changeBlocks } from '../blocks.ts';
import type { Context } from '../context.ts';
import { listBlockedUserIds } from '../sql/block.ts';
import { requireUser } from '../users.ts';
import type { Answer } from './answer.ts';

export async function updateBlocks(
  ctx: Context,
  request: UpdateBlocksRequest,
): Answer<typeof UpdateBlocksResponseSchema> {
  const { appId, ownerUserId: ownerId, steps } = request;
  await requireUser(ctx, { appId, userId: ownerId });
  if (request.oneByPath) await requirePathUsers(ctx, request);
  await ctx.db.tx((tx) => changeBlocks(ctx, tx, { appId, ownerId }, steps));
  return {};
}

/** Whoever is gone may still be unblocked. */
async function requirePathUsers(
  ctx: Context,
  { appId, ownerUserId, steps }: UpdateBlocksRequest,
): Promise<void> {
  for (const { operation, userIds } of steps) {
    const blocked =
      operation === Operation.REMOVE ? await listBlockedUserIds(ctx.db, { appId, ownerId: ownerUserId }) : [];
    for (const userId of userIds) if (!blocked.includes(userId)) await requireUser(ctx, { appId, userId });
  }
}
