import { fail } from '@parley/domain/problems';
import type {
  ListFollowingRequest,
  ListFollowingResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { pageAfter } from '../following.ts';
import { findIdentities } from '../sql/identity.ts';
import { requireUser } from '../users.ts';
import type { Answer } from './answer.ts';

const LARGEST_PAGE = 500;

/** A page may begin after somebody who is not followed any more. */
export async function listFollowing(
  ctx: Context,
  { appId, ownerUserId, fromId, pageSize, withIdentities }: ListFollowingRequest,
): Answer<typeof ListFollowingResponseSchema> {
  await requireUser(ctx, { appId, userId: ownerUserId });
  if (fromId !== '') await requireKnown(ctx, appId, fromId);
  const all = await ctx.following.of(appId, ownerUserId);
  const size = Math.min(Math.max(1, Math.trunc(pageSize) || LARGEST_PAGE), LARGEST_PAGE);
  const userIds = pageAfter(all, fromId, size);
  if (!withIdentities) return { userIds, total: all.length };
  const found = await findIdentities(ctx.db, appId, userIds);
  const byId = new Map(found.map((identity) => [identity.userId, identity]));
  return { identities: userIds.flatMap((userId) => byId.get(userId) ?? []), total: all.length };
}

async function requireKnown(ctx: Context, appId: string, fromId: string): Promise<void> {
  const [known] = await findIdentities(ctx.db, appId, [fromId]);
  if (!known) fail('invalid_property', { property: 'from_id' });
}
