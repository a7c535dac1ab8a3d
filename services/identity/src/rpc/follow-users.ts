import type {
  FollowUsersRequest,
  FollowUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { insertFollowRequests } from '../sql/follow.ts';
import { requireUser } from '../users.ts';
import type { Answer } from './answer.ts';

const SLICE = 1000;

/** What is asked for is on record with the answer, and done by a timer. */
export async function followUsers(
  ctx: Context,
  { appId, ownerUserId, targetUserIds }: FollowUsersRequest,
): Answer<typeof FollowUsersResponseSchema> {
  await requireUser(ctx, { appId, userId: ownerUserId });
  const wanted = [...new Set(targetUserIds)];
  const requestedAt = ctx.clock.now();
  const rows = [];
  for (let first = 0; first < wanted.length; first += SLICE) {
    rows.push({
      ...{ id: ctx.newId(), app_id: appId, owner_user_id: ownerUserId, requested_at: requestedAt },
      target_user_ids: wanted.slice(first, first + SLICE),
    });
  }
  if (rows.length > 0) await insertFollowRequests(ctx.db, rows);
  return {};
}
