import { fail } from '@parley/domain/problems';
import { createMoves, type Moves } from '@parley/kit/postgres/cells/moves';
import { createSurvey, type Survey } from '@parley/kit/postgres/cells/survey';
import { migrate } from '@parley/kit/postgres/migrate';
import { every } from '@parley/kit/durable/work/every';
import { planOf, type CellPlan } from '@parley/kit/runtime/config/cell-plan';
import type { Stopper } from '@parley/kit/runtime/process';
import type { ServiceContext } from '../context.ts';
import { watchMoves } from './watch-moves.ts';

/** The cells as operators see and change them. docs/scaling.md#cells */
export type CellAdministration = {
  plan: CellPlan;
  /** Undefined: there is one server. */
  moves: Moves | undefined;
  survey(): Promise<Survey>;
  /**
   * Makes cells until there are `count`, unless this process does so already; does not wait for them. Fails with invalid_operation and the
   * reason if that was begun before and has failed.
   */
  add(count: number): void;
};

const MOVE_INTERVAL_MS = 2_000;
/** How long a failure is news to who asks for the same number of cells. Milliseconds. */
const FAILURE_MS = 300_000;

export function startCellAdministration(
  ctx: ServiceContext,
  { migrations, stopper }: { migrations: URL; stopper: Stopper },
): CellAdministration {
  const { config, log, clock } = ctx;
  const { databaseUrl: url, cells: plan } = config;
  const moves = plan.kind === 'citus' ? createMoves({ url, log }) : undefined;
  if (moves) startMoves(ctx, moves, stopper);
  let adding: Promise<void> | undefined;
  let failure: { count: number; reason: string; at: number } | undefined;

  async function makeCells(count: number): Promise<void> {
    try {
      await migrate({ url, dir: migrations, log, cells: planOf(plan.kind, count), usedCells: plan.count });
    } catch (error) {
      log.error({ error, count }, 'failed to add cells');
      failure = { count, reason: error instanceof Error ? error.message : String(error), at: clock.now() };
    } finally {
      adding = undefined;
    }
  }

  return {
    plan,
    moves,
    survey: createSurvey({ url, plan, log }),
    add(count) {
      const failed = failure;
      failure = undefined;
      // The one who asked hears of it; asking again tries again.
      if (failed?.count === count && clock.now() - failed.at < FAILURE_MS)
        fail('invalid_operation', { message: `The cells could not be made: ${failed.reason}` });
      adding ??= makeCells(count);
    },
  };
}

/** Moves that were requested are run by one process after another. */
function startMoves(ctx: ServiceContext, moves: Moves, stopper: Stopper): void {
  const { tables: db, log, clock } = ctx;
  const job = { db, log, clock, intervalMs: MOVE_INTERVAL_MS, exclusive: false };
  // Its own lock, which the coordinator holds as long as a move runs, is the right to run.
  const runner = every({ ...job, name: 'cell-moves', run: (signal) => moves.runNext(signal) });
  stopper.add('moves of cells', () => runner.stop());
  watchMoves(ctx, moves, stopper);
}
