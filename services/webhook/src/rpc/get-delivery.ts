import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { GetDeliveryRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { findDelivery } from '../sql/delivery.ts';
import { getWebhookKey } from '../webhook/key.ts';

/** Problems: not_found. */
export async function getDelivery({ db }: Context, req: GetDeliveryRequest) {
  const { appId, id: webhookId } = await getWebhookKey(db, req);
  if (!isUuid(req.id)) return failNotFound('delivery', req.id);
  return {
    delivery: (await findDelivery(db, { appId, webhookId, id: req.id })) ?? failNotFound('delivery', req.id),
  };
}
