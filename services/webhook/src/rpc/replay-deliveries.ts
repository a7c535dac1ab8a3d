import { performOnce } from '@parley/kit/durable/once';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { ReplayDeliveriesRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { replayRange, type ReplayRange } from '../sql/delivery-replay.ts';
import { getWebhookKey } from '../webhook/key.ts';
import type { RpcContext } from './rpc-context.ts';

const BATCH = 2000;

/** Sends the failed, or all delivered, deliveries of a time again, in batches. Problems: not_found. */
export async function replayDeliveries(ctx: RpcContext, req: ReplayDeliveriesRequest) {
  const { appId, id: webhookId } = await getWebhookKey(ctx.db, req);
  const { from, until, status } = req;
  const range = {
    appId,
    webhookId,
    from,
    until,
    now: ctx.clock.now(),
    limit: BATCH,
    status: status === DeliveryStatus.DELIVERED ? status : DeliveryStatus.DEAD,
  };
  let count = 0;
  for (let after: string | undefined = NIL_UUID; after !== undefined;) {
    const batch: Batch = await replayBatch(ctx, { ...range, after });
    ctx.deliveries.wake();
    count += batch.count;
    after = batch.last;
  }
  return { count };
}

/** `last`: the delivery after which the next batch begins, if there may be one. */
type Batch = { count: number; last?: string | undefined };

/** A repeated request skips the batches that were done, and continues with the next. */
function replayBatch({ db }: Context, range: ReplayRange): Promise<Batch> {
  return db.tx((tx) =>
    performOnce(tx, {
      name: `replay deliveries after ${range.after}`,
      run: async (): Promise<Batch> => {
        const ids = await replayRange(tx, range);
        return { count: ids.length, last: ids.length === BATCH ? ids.at(-1) : undefined };
      },
      save: (batch) => Buffer.from(JSON.stringify(batch)),
      load: (saved) => JSON.parse(Buffer.from(saved).toString()) as Batch,
    }),
  );
}
