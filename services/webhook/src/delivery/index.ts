import { createDispatcher } from '@parley/outbound/turns/dispatcher';
import { startWorker } from '@parley/outbound/turns/worker';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { claimDeliveries } from '../sql/delivery-claim.ts';
import { createAttempts } from './attempt.ts';
import type { Recipients } from './recipient-statuses.ts';

export type Deliveries = {
  /** Looks for due deliveries now. */
  wake(): void;
};

/** Sends due deliveries until the process stops: claim, then prepare → call → settle. */
export async function startDelivering(
  ctx: Context,
  stopper: Stopper,
  recipients: Recipients,
): Promise<Deliveries> {
  const worker = await startWorker(ctx, ctx.newId());
  stopper.add('worker', () => worker.stop());
  const attempts = createAttempts(ctx, { worker: worker.id, recipients });
  stopper.add('attempts', () => attempts.stop());
  const { db, log, clock } = ctx;
  const dispatcher = createDispatcher({
    log,
    clock,
    releaseOthers: worker.releaseOthers,
    claimDue: (request) => claimDeliveries(db, { worker: worker.id, now: clock.now(), ...request }),
    attempt: attempts.run,
  });
  stopper.add('dispatcher', () => dispatcher.stop());
  return dispatcher;
}
