import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { createAttempts } from './attempt.ts';
import { createDispatcher } from './dispatcher.ts';
import { startWorker } from './worker.ts';

export type Deliveries = {
  /** Looks for due deliveries now. */
  wake(): void;
};

/** Sends due deliveries until the process stops: claim, then prepare → call → settle. */
export async function startDelivering(ctx: Context, stopper: Stopper): Promise<Deliveries> {
  const worker = await startWorker(ctx);
  stopper.add('worker', () => worker.stop());
  const attempts = createAttempts(ctx, worker.id);
  stopper.add('attempts', () => attempts.stop());
  const dispatcher = createDispatcher(ctx, worker.id, attempts.run);
  stopper.add('dispatcher', () => dispatcher.stop());
  return dispatcher;
}
