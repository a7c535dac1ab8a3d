import { every } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import { createErasures } from './erase-users.ts';
import { createExpansions } from './expand-events.ts';
import { foldCounts } from './fold-counts.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { sweepOperations } from './sweep-operations.ts';

const sweeps = [
  { name: 'sweep-deliveries', intervalMs: 600_000, run: sweepDeliveries },
  { name: 'sweep-operations', intervalMs: 600_000, run: sweepOperations },
  { name: 'fold-counts', intervalMs: 60_000, run: foldCounts },
];

export type Timers = {
  /** There is something to expand. */
  expand(): void;
  /** There are users to erase. */
  erase(): void;
};

/** Everything that happens because time passed; each job runs in one of the replicas. */
export function startTimers(ctx: Context, stopper: Stopper, deliveries: Deliveries): Timers {
  const { db, log, clock } = ctx;
  const expansions = createExpansions(ctx, deliveries);
  const expansion = every({
    ...{ db, log, clock, name: 'expand-events', intervalMs: 1000 },
    run: (_db, signal) => expansions.run(signal),
  });
  stopper.add('expansion', () => expansion.stop());
  const erasures = createErasures(ctx);
  const erasure = every({
    ...{ db, log, clock, name: 'erasures', intervalMs: 1000 },
    run: (_db, signal) => erasures.run(signal),
  });
  stopper.add('erasures', () => erasure.stop());
  for (const { name, intervalMs, run } of sweeps) {
    const job = every({ db, log, clock, name, intervalMs, run: () => run(ctx) });
    stopper.add(name, () => job.stop());
  }
  return { expand: () => void expansion.runNow(), erase: () => void erasure.runNow() };
}
