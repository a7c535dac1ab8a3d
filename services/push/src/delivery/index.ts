import type { Stopper } from '@parley/kit/runtime/process';
import { startDeliveries, type Deliveries } from '@parley/outbound/deliveries';
import type { Context } from '../context.ts';
import { createAppCache } from '../app-cache.ts';
import { claimDeliveries } from '../sql/delivery-claim.ts';
import { getPushSettings } from '../sql/push-settings.ts';
import { createPushAttempts } from './attempt.ts';
import type { Sender } from './send.ts';
import { createWithdrawals } from './withdraw.ts';

/**
 * Pushes of an application to one push service that are in progress, from their claim to their stored result. The targets are push
 * services that the operator has listed, so that a burst begins with many; 400 are 2,000 a second where an answer takes 100 ms.
 */
const OF_TARGET = { initial: 64, max: 400 };

/** Sends due deliveries until the process stops: claim, then check → send → settle; withdrawals alike. */
export function startDelivering(ctx: Context, stopper: Stopper, sender: Sender): Promise<Deliveries> {
  const { db } = ctx;
  const settings = createAppCache((appId) => getPushSettings(db, appId));
  return startDeliveries(ctx, stopper, {
    workerId: ctx.newId(),
    claimDue: (claim) => claimDeliveries(db, claim),
    attempts(worker) {
      const pushes = createPushAttempts(ctx, { worker, sender, settings });
      const withdrawals = createWithdrawals(ctx, { worker, sender, settings });
      return {
        run: (claimed) =>
          claimed.withdrawal_version === null ? pushes.run(claimed) : withdrawals.run(claimed),
        async stop() {
          await Promise.all([pushes.stop(), withdrawals.stop()]);
        },
      };
    },
    ofTarget: OF_TARGET,
  });
}
