import type { Stopper } from '@parley/kit/runtime/process';
import { createDispatcher } from '@parley/outbound/turns/dispatcher';
import { startWorker } from '@parley/outbound/turns/worker';
import type { Context } from '../context.ts';
import { createAppCache } from '../app-cache.ts';
import { claimDeliveries } from '../sql/delivery-claim.ts';
import { getPushSettings } from '../sql/push-settings.ts';
import { createAttempts } from './attempt.ts';
import type { Sender } from './send.ts';
import { createWithdrawals } from './withdraw.ts';

export type Deliveries = {
  /** Looks for due deliveries now. */
  wake(): void;
};

/**
 * Pushes of an application to one push service that are in progress, from their claim to their stored result. The targets are push
 * services that the operator has listed, so that a burst begins with many; 400 are 2,000 a second where an answer takes 100 ms.
 */
const OF_TARGET = { initial: 64, max: 400 };

/** Sends due deliveries until the process stops: claim, then check → send → settle; withdrawals alike. */
export async function startDelivering(ctx: Context, stopper: Stopper, sender: Sender): Promise<Deliveries> {
  const worker = await startWorker(ctx, ctx.newId());
  stopper.add('worker', () => worker.stop());
  const { db, log, clock } = ctx;
  const settings = createAppCache((appId) => getPushSettings(db, appId));
  const attempts = createAttempts(ctx, { worker: worker.id, sender, settings });
  stopper.add('attempts', () => attempts.stop());
  const withdrawals = createWithdrawals(ctx, { worker: worker.id, sender, settings });
  stopper.add('withdrawals', () => withdrawals.stop());
  const dispatcher = createDispatcher({
    log,
    clock,
    releaseOthers: worker.releaseOthers,
    claimDue: (request) => claimDeliveries(db, { worker: worker.id, now: clock.now(), ...request }),
    attempt: (claimed) =>
      claimed.withdrawal_version === null ? attempts.run(claimed) : withdrawals.run(claimed),
    ofTarget: OF_TARGET,
  });
  stopper.add('dispatcher', () => dispatcher.stop());
  return dispatcher;
}
