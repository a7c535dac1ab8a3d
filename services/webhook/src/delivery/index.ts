import { startDeliveries, type Deliveries } from '@parley/outbound/deliveries';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { claimDeliveries } from '../sql/delivery-claim.ts';
import { createWebhookAttempts } from './attempt.ts';
import type { Recipients } from './recipient-statuses.ts';

/** Sends due deliveries until the process stops: claim, then prepare → call → settle. */
export function startDelivering(ctx: Context, stopper: Stopper, recipients: Recipients): Promise<Deliveries> {
  return startDeliveries(ctx, stopper, {
    workerId: ctx.newId(),
    claimDue: (claim) => claimDeliveries(ctx.db, claim),
    attempts: (worker) => createWebhookAttempts(ctx, { worker, recipients }),
  });
}
