import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/durable/once';
import type { ReplayDeliveryRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import * as replays from '../sql/delivery-replay.ts';
import { getWebhookKey } from '../webhook/key.ts';
import type { RpcContext } from './rpc-context.ts';

/** Sends a delivery again. Problems: not_found. */
export async function replayDelivery(ctx: RpcContext, req: ReplayDeliveryRequest) {
  if (!isUuid(req.id)) return failNotFound('delivery', req.id);
  const { appId, id: webhookId } = await getWebhookKey(ctx.db, req);
  const key = { appId, webhookId, id: req.id };
  await ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'replay delivery',
      run: async () => {
        if (!(await replays.replayDelivery(tx, key, ctx.clock.now()))) failNotFound('delivery', req.id);
      },
      save: () => new Uint8Array(),
      load: () => undefined,
    }),
  );
  ctx.deliveries.wake();
  return {};
}
