import type {
  ListBlocksRequest,
  ListBlocksResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { listBlockedUserIds } from '../sql/block.ts';
import { findIdentities } from '../sql/identity.ts';
import { requireUser } from '../users.ts';
import type { Answer } from './answer.ts';

/** Somebody who is gone is still blocked, and shown without a name. */
export async function listBlocks(
  ctx: Context,
  { appId, ownerUserId }: ListBlocksRequest,
): Answer<typeof ListBlocksResponseSchema> {
  await requireUser(ctx, { appId, userId: ownerUserId });
  const userIds = await listBlockedUserIds(ctx.db, appId, ownerUserId);
  const found = await findIdentities(ctx.db, appId, userIds);
  const byId = new Map(found.map((identity) => [identity.userId, identity]));
  return {
    identities: userIds.map((userId) => {
      const { displayName, avatarUrl } = byId.get(userId) ?? {};
      return {
        userId,
        ...(displayName !== undefined && { displayName }),
        ...(avatarUrl !== undefined && { avatarUrl }),
      };
    }),
  };
}
