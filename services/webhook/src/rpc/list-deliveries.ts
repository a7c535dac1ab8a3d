import { isUuid } from '@parley/domain/ids';
import { limits } from '@parley/contract/limits';
import { findGoneItem } from '@parley/kit/durable/gone-items';
import type { Sql } from '@parley/kit/postgres';
import { failUnknownFromId } from '@parley/domain/problems';
import type { ListDeliveriesRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import * as deliveries from '../sql/delivery.ts';
import { countDeliveries } from '../sql/delivery-count.ts';
import { getWebhookKey } from '../webhook/key.ts';

/** A page of deliveries, newest first, and their total number. Problems: not_found, invalid_property. */
export async function listDeliveries({ db }: Context, req: ListDeliveriesRequest) {
  const { appId, id: webhookId } = await getWebhookKey(db, req);
  const { status, fromId } = req;
  if (fromId !== '' && !(await isOfList(db, { appId, webhookId, id: fromId }))) return failUnknownFromId();
  const limit = Math.min(Math.max(1, Math.trunc(req.pageSize) || limits.deliveryPage), limits.deliveryPage);
  const [page, total] = await Promise.all([
    deliveries.listDeliveries(db, { appId, webhookId, status, before: fromId || undefined, limit }),
    countDeliveries(db, { appId, webhookId, status }),
  ]);
  return { deliveries: page, total };
}

/** Whether a webhook has a delivery, or had it within the last day. */
async function isOfList(db: Sql, { appId, webhookId, id }: deliveries.DeliveryKey): Promise<boolean> {
  if (!isUuid(id)) return false;
  if (await deliveries.findDelivery(db, { appId, webhookId, id })) return true;
  return (await findGoneItem(db, { appId, listId: webhookId, id })) !== undefined;
}
