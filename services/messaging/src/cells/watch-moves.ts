import { every } from '@parley/kit/durable/work/every';
import type { Move, Moves } from '@parley/kit/postgres/cells/moves';
import type { Stopper } from '@parley/kit/runtime/process';
import type { ServiceContext } from '../context.ts';

const INTERVAL_MS = 10_000;
const MAX_LISTED = 100;
/** A failed move is told of until so long after its end. */
const TOLD_MS = 24 * 3_600_000;

type Watched = { moves: readonly Move[]; isCoordinatorUp: boolean };
type ReadingOf = { name: string; help: string; read: (watched: Watched) => number };

/** Has the metrics of the process say how moves of cells go, and whether the coordinator of Citus answers. */
export function watchMoves(
  { tables: db, log, clock, metrics }: ServiceContext,
  moves: Moves,
  stopper: Stopper,
): void {
  let watched: Watched = { moves: [], isCoordinatorUp: true };
  const job = every({
    db,
    log,
    clock,
    name: 'cell-move-metrics',
    intervalMs: INTERVAL_MS,
    exclusive: false,
    async run() {
      const listed = await moves.list(MAX_LISTED).catch((error: unknown) => {
        log.warn({ error }, 'the coordinator of the cells does not answer; cells are served all the same');
        return undefined;
      });
      watched = listed ? { moves: listed, isCoordinatorUp: true } : { ...watched, isCoordinatorUp: false };
    },
  });
  stopper.add('metrics of moves', () => job.stop());
  for (const { read, ...reading } of readings(() => clock.now()))
    metrics.reading({ ...reading, read: () => read(watched) });
}

function readings(now: () => number): ReadingOf[] {
  const unfinished = (list: readonly Move[]) => list.filter(({ finishedAt }) => finishedAt === 0);
  return [
    {
      name: 'cell_coordinator_up',
      help: 'Whether the coordinator of Citus answered last: 1 or 0.',
      read: ({ isCoordinatorUp }) => Number(isCoordinatorUp),
    },
    {
      name: 'cell_moves_unfinished',
      help: 'Moves of cells that were requested and have not ended.',
      read: ({ moves }) => unfinished(moves).length,
    },
    {
      name: 'cell_move_oldest_seconds',
      help: 'Since when the oldest of them was requested.',
      read: ({ moves }) =>
        Math.max(0, ...unfinished(moves).map(({ requestedAt }) => (now() - requestedAt) / 1000)),
    },
    {
      name: 'cell_move_attempts',
      help: 'The most attempts that an unfinished move has had.',
      read: ({ moves }) => Math.max(0, ...unfinished(moves).map(({ attempts }) => attempts)),
    },
    {
      name: 'cell_move_lag_bytes',
      help: 'The write-ahead log that the target of a move has yet to apply, which its source keeps.',
      read: ({ moves }) => Math.max(0, ...moves.map(({ lagBytes }) => lagBytes)),
    },
    {
      name: 'cell_moves_failed',
      help: 'Moves of the last day that were given up.',
      read: ({ moves }) =>
        moves.filter(({ state, finishedAt }) => state === 'failed' && now() - finishedAt < TOLD_MS).length,
    },
  ];
}
