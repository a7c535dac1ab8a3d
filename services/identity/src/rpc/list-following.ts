import { fail } from '@parley/domain/problems';
import type {
  ListFollowingRequest,
  ListFollowingResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { pageAfter } from '../following.ts';
import { findPresences } from '../presence/find.ts';
import { findIdentities } from '../sql/identity.ts';
import { requireUser } from '../users.ts';
import type { Answer } from './answer.ts';

const LARGEST_PAGE = 500;

/** A page may begin after somebody who is not followed any more. */
export async function listFollowing(
  ctx: Context,
  { appId, ownerUserId, fromId, pageSize, withIdentities, knownStamp }: ListFollowingRequest,
): Answer<typeof ListFollowingResponseSchema> {
  await requireUser(ctx, { appId, userId: ownerUserId });
  if (fromId !== '') await requireKnown(ctx, appId, fromId);
  const { user_ids: all, stamp } = await ctx.following.of(appId, ownerUserId);
  if (knownStamp !== '' && knownStamp === stamp) return { stamp, unchanged: true };
  const size = Math.min(Math.max(1, Math.trunc(pageSize) || LARGEST_PAGE), LARGEST_PAGE);
  const userIds = pageAfter(all, fromId, size);
  if (!withIdentities) return { userIds, total: all.length, stamp };
  const [found, presences] = await Promise.all([
    findIdentities(ctx.db, appId, userIds),
    findPresences(ctx.db, appId, userIds),
  ]);
  const byId = new Map(found.map((identity) => [identity.userId, identity]));
  const identities = userIds.flatMap((userId) => byId.get(userId) ?? []);
  return { identities, presences: [...presences.values()], total: all.length, stamp };
}

async function requireKnown(ctx: Context, appId: string, fromId: string): Promise<void> {
  const [known] = await findIdentities(ctx.db, appId, [fromId]);
  if (!known) fail('invalid_property', { property: 'from_id' });
}
