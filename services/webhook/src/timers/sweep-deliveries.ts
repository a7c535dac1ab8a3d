import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import { forgetGoneItems } from '@parley/kit/durable/gone-items';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { Context } from '../context.ts';
import {
  deleteOfRemovedWebhooks,
  deletePendingOfInactiveBefore,
  deleteSettledBefore,
  forgetWebhooksRemovedBefore,
} from '../sql/delivery-retention.ts';

const DAY_MS = 86_400_000;
const DELIVERED_KEPT_MS = 3 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;
const BATCH = 2000;

/**
 * Dead letters, and deliveries that wait for a webhook to be activated, are kept for 30 days.
 * docs/protocol/webhooks.md#success-and-retries
 */
export async function sweepDeliveries({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  const delivered = { status: DeliveryStatus.DELIVERED, before: now - DELIVERED_KEPT_MS, limit: BATCH };
  const dead = { status: DeliveryStatus.DEAD, before: now - DEAD_KEPT_MS, limit: BATCH };
  await stepsApart([
    () => untilLess(BATCH, () => deleteSettledBefore(db, delivered)),
    () => untilLess(BATCH, () => deleteSettledBefore(db, dead)),
    () => untilLess(BATCH, () => deletePendingOfInactiveBefore(db, now - DEAD_KEPT_MS, BATCH)),
    // A webhook is forgotten once it has no deliveries.
    async () => {
      await untilLess(BATCH, () => deleteOfRemovedWebhooks(db, BATCH));
      await forgetWebhooksRemovedBefore(db, now - DAY_MS);
    },
    () => forgetGoneItems(db),
  ]);
}
