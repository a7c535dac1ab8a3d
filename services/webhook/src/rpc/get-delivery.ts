import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { isTransientOrCancelled } from '@parley/kit/rpc/transient';
import type { GetDeliveryRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { renderBody } from '../delivery/prepare.ts';
import type { Recipients } from '../delivery/recipient-statuses.ts';
import { findDelivery, type DeliveryKey } from '../sql/delivery.ts';
import { findNoticeOfDelivery } from '../sql/notice.ts';
import { getWebhookKey } from '../webhook/key.ts';
import type { RpcContext } from './rpc-context.ts';

/** A delivery with its attempts and its body. Problems: not_found. */
export async function getDelivery(ctx: RpcContext, req: GetDeliveryRequest) {
  const { db } = ctx;
  const { appId, id: webhookId } = await getWebhookKey(db, req);
  const key = { appId, webhookId, id: req.id };
  const delivery = isUuid(req.id) ? await findDelivery(db, key) : undefined;
  if (!delivery) return failNotFound('delivery', req.id);
  const body = await bodyOf(ctx, ctx.recipients, key);
  return { delivery, ...(body !== undefined && { body }) };
}

/** Undefined: the notice is about an erased user, or of a release that could not make it either. */
async function bodyOf(ctx: Context, recipients: Recipients, key: DeliveryKey): Promise<string | undefined> {
  const notice = await findNoticeOfDelivery(ctx.db, key);
  if (!notice) return undefined;
  return renderBody(ctx, recipients, notice).catch((error: unknown) => {
    if (isTransientOrCancelled(error)) throw error;
    ctx.log.warn(
      { error, appId: key.appId, deliveryId: key.id },
      'failed to make body of delivery; left out',
    );
    return undefined;
  });
}
