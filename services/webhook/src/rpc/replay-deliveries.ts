import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { ReplayDeliveriesRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import { replayRange } from '../sql/replay.ts';
import { getWebhookKey } from './input.ts';

const BATCH = 2000;
const FIRST = '00000000-0000-0000-0000-000000000000';

export async function replayDeliveries(ctx: Context, deliveries: Deliveries, req: ReplayDeliveriesRequest) {
  const { appId, id: webhookId } = await getWebhookKey(ctx.db, req);
  const { from, until, status } = req;
  const range = {
    ...{ appId, webhookId, from, until, now: ctx.clock.now(), limit: BATCH },
    status: status === DeliveryStatus.DELIVERED ? status : DeliveryStatus.DEAD,
  };
  let count = 0;
  for (let after: string | undefined = FIRST; after;) {
    const ids: string[] = await replayRange(ctx.db, { ...range, after });
    deliveries.wake();
    count += ids.length;
    after = ids.length === BATCH ? ids.at(-1) : undefined;
  }
  return { count };
}
