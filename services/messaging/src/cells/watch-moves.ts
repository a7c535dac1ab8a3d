import { every } from '@parley/kit/durable/work/every';
import type { Move, Moves } from '@parley/kit/postgres/cells/moves';
import type { Stopper } from '@parley/kit/runtime/process';
import type { ServiceContext } from '../context.ts';

const INTERVAL_MS = 10_000;
const MAX_LISTED = 100;
/** A failed move is told of until so long after its end. */
const TOLD_MS = 24 * 3_600_000;

/** Has the metrics of the process say how moves of cells go, and whether the coordinator of Citus answers. */
export function watchMoves(ctx: ServiceContext, moves: Moves, stopper: Stopper): void {
  const { tables: db, log, clock } = ctx;
  const watched: Watched = { moves: [], isCoordinatorUp: true };
  const job = every({
    db,
    log,
    clock,
    name: 'cell-move-metrics',
    intervalMs: INTERVAL_MS,
    exclusive: false,
    async run() {
      try {
        watched.moves = await moves.list(MAX_LISTED);
        watched.isCoordinatorUp = true;
      } catch (error) {
        log.warn({ error }, 'the coordinator of the cells does not answer; cells are served all the same');
        watched.isCoordinatorUp = false;
      }
    },
  });
  stopper.add('metrics of moves', () => job.stop());
  measure(ctx, watched);
}

type Watched = { moves: readonly Move[]; isCoordinatorUp: boolean };

function measure({ metrics, clock }: ServiceContext, watched: Watched): void {
  const unfinished = () => watched.moves.filter(({ finishedAt }) => finishedAt === 0);
  metrics.reading({
    name: 'cell_coordinator_up',
    help: 'Whether the coordinator of Citus answered last: 1 or 0.',
    read: () => Number(watched.isCoordinatorUp),
  });
  metrics.reading({
    name: 'cell_moves_unfinished',
    help: 'Moves of cells that were requested and have not ended.',
    read: () => unfinished().length,
  });
  metrics.reading({
    name: 'cell_move_oldest_seconds',
    help: 'Since when the oldest of them was requested.',
    read: () => Math.max(0, ...unfinished().map(({ requestedAt }) => (clock.now() - requestedAt) / 1000)),
  });
  metrics.reading({
    name: 'cell_move_attempts',
    help: 'The most attempts that an unfinished move has had.',
    read: () => Math.max(0, ...unfinished().map(({ attempts }) => attempts)),
  });
  metrics.reading({
    name: 'cell_move_lag_bytes',
    help: 'The write-ahead log that the target of a move has yet to apply, which its source keeps.',
    read: () => Math.max(0, ...unfinished().map(({ lagBytes }) => lagBytes)),
  });
  metrics.reading({
    name: 'cell_moves_failed',
    help: 'Moves of the last day that were given up.',
    read: () => watched.moves.filter((move) => isGivenUp(move, clock.now())).length,
  });
}

function isGivenUp({ state, finishedAt }: Move, now: number): boolean {
  return state === 'failed' && now - finishedAt < TOLD_MS;
}
