import type {
  EraseUserRequest,
  EraseUserResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { eraseLocked } from '../identity/erase.ts';
import { failUnknownUser, removeUser } from '../identity/users.ts';
import { noteFollowers } from '../relation/departures.ts';
import { trimRelations } from '../relation/trim-relations.ts';
import { lockIdentity } from '../sql/identity.ts';

/**
 * Deletes the user first, and notes who must hear of it while the relations still say so. Then erases the user here, and makes the other services erase their records of earlier incarnations. A repeated call
 * gets the same answer. Fails with not_found.
 */
export async function eraseUser(
  ctx: Context,
  { appId, userId }: EraseUserRequest,
): RpcResponse<typeof EraseUserResponseSchema> {
  const user = { appId, userId };
  const deleted = await ctx.db.tx(async (tx) => {
    const before = (await lockIdentity(tx, user)) ?? failUnknownUser(userId);
    return before.deleted ? before : removeUser(ctx, tx, user);
  });
  // In steps, as the relations are removed: a repeated request goes on where one was interrupted.
  await noteFollowers(ctx, ctx.db, deleted);
  await trimRelations(ctx, user);
  return ctx.db.tx(async (tx) => {
    const before = (await lockIdentity(tx, user)) ?? failUnknownUser(userId);
    return eraseLocked(ctx, tx, before);
  });
}
