import type { Clock } from '../../runtime/clock/index.ts';
import { every } from './every.ts';
import { createLanes, type Lane } from './lanes.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Database } from '../../postgres/index.ts';
import type { Stopper } from '../../runtime/process.ts';
import type { Rounds } from './queue.ts';

/**
 * The longest pause between two looks into an empty queue: an item that nobody woke the job for, such as another replica's or one that has
 * become due, waits at most as long. Milliseconds.
 */
const IDLE_MS = 2_000;

/** Parts of a context that its jobs need. */
export type JobContext = { db: Database; log: Logger; clock: Clock };

export type JobDefinition<Context, Name extends string> = {
  /** Unique in the service. */
  name: Name;
  /** Time from the end of one run to the start of the next. */
  intervalMs: number;
  /** Longest pause between runs that find nothing; defaults to `IDLE_MS` for rounds and to `intervalMs` otherwise. */
  idleMs?: number;
} & (
  | {
      /** Default true: only one replica runs it at a time. */
      exclusive?: boolean;
      lanes?: undefined;
    }
  | {
      exclusive: false;
      /** Concurrent runners in each replica, each with its own rounds. While there is no work, only one of them looks for it. */
      lanes: number;
    }
) &
  (
    | { run: (ctx: Context, signal: AbortSignal, found?: () => void) => Promise<void> }
    /** Creates the rounds of one lane; each run works until the queue has no due item. */
    | { rounds: (ctx: Context) => Rounds }
  );

export type Jobs<Name extends string> = {
  /** Runs a job now if this replica holds the job's lock. */
  wake(name: Name): void;
};

/** Starts a service's jobs; `stopper` stops them. */
export function startJobs<Context extends JobContext, Name extends string>(
  ctx: Context,
  stopper: Stopper,
  definitions: readonly JobDefinition<Context, Name>[],
): Jobs<Name> {
  const { db, log, clock } = ctx;
  const started = definitions.map((definition) => {
    const { name, intervalMs, exclusive = true } = definition;
    const run = definition.lanes === undefined ? runOf(ctx, definition) : runLanes(ctx, stopper, definition);
    const { idleMs = 'rounds' in definition ? Math.max(IDLE_MS, intervalMs) : intervalMs } = definition;
    const job = every({ db, log, clock, name, intervalMs, idleMs, exclusive, run });
    stopper.add(name, () => job.stop());
    return [name, job] as const;
  });
  const byName = new Map(started);
  return { wake: (name) => void byName.get(name)?.runNow() };
}

/** Returns a run that does not wait for the lanes, so that a free lane looks for work while others are busy. */
function runLanes<Context extends JobContext, Name extends string>(
  ctx: Context,
  stopper: Stopper,
  definition: JobDefinition<Context, Name> & { lanes: number },
): (signal: AbortSignal, found: () => void) => Promise<void> {
  const { name, lanes: count } = definition;
  let noteFound: () => void = () => undefined;
  function laneOf(run: ReturnType<typeof runOf>): Lane {
    return (signal, lookAgain) =>
      run(signal, () => {
        noteFound();
        lookAgain();
      });
  }
  const lanes = createLanes(
    Array.from({ length: count }, () => laneOf(runOf(ctx, definition))),
    { log: ctx.log.child({ job: name }) },
  );
  stopper.add(`lanes of ${name}`, () => lanes.stop());
  return (_signal, found) => {
    noteFound = found;
    return Promise.resolve(lanes.look());
  };
}

function runOf<Context>(
  ctx: Context,
  definition: JobDefinition<Context, string>,
): (signal: AbortSignal, found?: () => void) => Promise<void> {
  if ('run' in definition) return (signal, found) => definition.run(ctx, signal, found);
  const rounds = definition.rounds(ctx);
  return (signal, found) => rounds.run(signal, found);
}
