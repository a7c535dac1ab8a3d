import { toBinary, fromBinary } from '@parley/codec';
import { parseName } from '@parley/domain/parse/choice';
import { WEBHOOK_EVENTS } from '@parley/domain/events/webhook-events';
import { failNotFound } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/durable/once';
import type { Tx } from '@parley/kit/postgres';
import { DeliverySchema, type Delivery } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { SendTestEventRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { testNotice } from '../notices/test-event.ts';
import { findDelivery, insertDeliveries } from '../sql/delivery.ts';
import { insertNotices } from '../sql/notice.ts';
import { lockWebhook } from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';
import type { RpcContext } from './rpc-context.ts';

/** Stores a delivery of an example event, which is due at once. Problems: not_found, invalid_property. */
export async function sendTestEvent(ctx: RpcContext, req: SendTestEventRequest) {
  const delivery = await ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'send test event',
      run: () => storeTestDelivery(ctx, tx, req),
      save: (stored) => toBinary(DeliverySchema, stored),
      load: (saved) => fromBinary(DeliverySchema, saved),
    }),
  );
  ctx.deliveries.wake();
  return { delivery };
}

async function storeTestDelivery(ctx: Context, tx: Tx, req: SendTestEventRequest): Promise<Delivery> {
  const { appId, id: webhookId } = keyOf(req);
  const { webhook } = (await lockWebhook(tx, { appId, id: webhookId })) ?? failNotFound('webhook', req.id);
  const type = parseName(WEBHOOK_EVENTS, req.eventType ?? webhook.events[0], 'event');
  const at = ctx.clock.now();
  const notice = testNotice(type, { appId, id: ctx.newId(), at, newId: ctx.newId });
  const key = { appId, webhookId, id: ctx.newId() };
  await insertNotices(tx, [notice]);
  await insertDeliveries(tx, [{ ...key, noticeId: notice.event.id }], at);
  return (await findDelivery(tx, key)) ?? failNotFound('delivery', key.id);
}
