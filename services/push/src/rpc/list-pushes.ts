import { limits } from '@parley/contract/limits';
import { isUuid } from '@parley/domain/ids';
import { findGoneItem } from '@parley/kit/durable/gone-items';
import type { Sql } from '@parley/kit/postgres';
import { failUnknownFromId } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ListPushesRequest,
  ListPushesResponseSchema,
} from '@parley/proto/parley/push/v1/push_service_pb';
import type { Context } from '../context.ts';
import * as deliveries from '../sql/delivery-list.ts';

/** A page of the pushes to a user's devices, newest first, and their total number. Problems: invalid_property. */
export async function listPushes(
  { db }: Context,
  { appId, userId, fromId, pageSize }: ListPushesRequest,
): RpcResponse<typeof ListPushesResponseSchema> {
  if (fromId !== '' && !(await isOfList(db, { appId, userId, id: fromId }))) return failUnknownFromId();
  const limit = Math.min(Math.max(1, Math.trunc(pageSize) || limits.deliveryPage), limits.deliveryPage);
  const [pushes, total] = await Promise.all([
    deliveries.listDeliveries(db, { appId, userId, before: fromId || undefined, limit }),
    deliveries.countDeliveries(db, { appId, userId }),
  ]);
  return { pushes, total };
}

/** Whether the user has a push, or had it within the last day. */
async function isOfList(db: Sql, key: deliveries.UserKey & { id: string }): Promise<boolean> {
  if (!isUuid(key.id)) return false;
  if (await deliveries.hasDelivery(db, key)) return true;
  return (await findGoneItem(db, { ...key, listId: key.userId })) !== undefined;
}
