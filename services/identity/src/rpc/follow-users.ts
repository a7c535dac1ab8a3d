import type {
  FollowUsersRequest,
  FollowUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { insertFollowRequests, type FollowRequestRow } from '../sql/follow.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';
import type { Answer } from './answer.ts';

const SLICE = 1000;

/** What is asked for is on record with the answer, and done by a timer. Fails with not_found without the owner. */
export async function followUsers(
  ctx: Context,
  { appId, ownerUserId, targetUserIds }: FollowUsersRequest,
): Answer<typeof FollowUsersResponseSchema> {
  const wanted = [...new Set(targetUserIds)];
  const requestedAt = ctx.clock.now();
  const rows: FollowRequestRow[] = [];
  for (let first = 0; first < wanted.length; first += SLICE) {
    rows.push({
      id: ctx.newId(),
      app_id: appId,
      owner_user_id: ownerUserId,
      requested_at: requestedAt,
      target_user_ids: wanted.slice(first, first + SLICE),
    });
  }
  await ctx.db.tx(async (tx) => {
    const present = await shareIdentities(tx, appId, [ownerUserId]);
    if (!present.has(ownerUserId)) failUnknownUser();
    if (rows.length > 0) await insertFollowRequests(tx, rows);
  });
  return {};
}
