import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { ReplayDeliveryRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import * as replays from '../sql/replay.ts';
import { getWebhookKey } from './input.ts';

export async function replayDelivery(ctx: Context, deliveries: Deliveries, req: ReplayDeliveryRequest) {
  const { appId, id: webhookId } = await getWebhookKey(ctx.db, req);
  const key = { appId, webhookId, id: req.id };
  const found = isUuid(req.id) && (await replays.replayDelivery(ctx.db, key, ctx.clock.now()));
  if (!found) return fail('not_found');
  deliveries.wake();
  return {};
}
