import type {
  EraseUserRequest,
  EraseUserResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { eraseLocked } from '../identity/erase.ts';
import { failUnknownUser } from '../identity/users.ts';
import { trimRelations } from '../relation/trim-relations.ts';
import { lockIdentity } from '../sql/identity.ts';

/**
 * Erases the user here, and makes the other services erase their records of earlier incarnations. A repeated call
 * gets the same answer. Fails with not_found.
 */
export async function eraseUser(
  ctx: Context,
  { appId, userId }: EraseUserRequest,
): RpcResponse<typeof EraseUserResponseSchema> {
  await trimRelations(ctx, { appId, userId });
  return ctx.db.tx(async (tx) => {
    const before = (await lockIdentity(tx, { appId, userId })) ?? failUnknownUser(userId);
    return eraseLocked(ctx, tx, before);
  });
}
