import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { FIGURE_LIFETIME_MS } from '../figures/lifetime.ts';
import { deleteFigureProcessesBefore, deleteFiguresBefore } from '../sql/figure.ts';

const BATCH = 5000;

/** Deletes figures after 26 hours, and what is known of processes that have ended by then. */
export async function sweepFigures({ db, clock }: Context): Promise<void> {
  const before = clock.now() - FIGURE_LIFETIME_MS;
  await stepsApart([
    () => untilLess(BATCH, () => deleteFiguresBefore(db, before, BATCH)),
    () => untilLess(BATCH, () => deleteFigureProcessesBefore(db, before, BATCH)),
  ]);
}
