import type { Clock } from '../clock.ts';
import { every } from './every.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Database } from '../postgres.ts';
import type { Stopper } from '../process.ts';
import type { Rounds } from './queue.ts';

/** Parts of a context that its jobs need. */
export type JobContext = { db: Database; log: Logger; clock: Clock };

export type JobDefinition<Context, Name extends string> = {
  /** Unique in the service. */
  name: Name;
  /** From the end of one run to the beginning of the next. */
  intervalMs: number;
  /** Default true: one replica runs it at a time. */
  exclusive?: boolean;
  /** Runners side by side in one replica, each with rounds of its own. Default 1. */
  lanes?: number;
} & (
  | { run: (ctx: Context, signal: AbortSignal) => Promise<void> }
  /** Creates the rounds of one lane; each run works until the queue has no due item. */
  | { rounds: (ctx: Context) => Rounds }
);

export type Jobs<Name extends string> = {
  /** Runs all lanes of a job now whose right to run this replica holds. */
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
    const { name, intervalMs, exclusive = true, lanes = 1 } = definition;
    const jobs = Array.from({ length: lanes }, (_, lane) => {
      const laneName = lanes === 1 ? name : `${name}-${lane}`;
      const job = every({
        db,
        log,
        clock,
        name: laneName,
        intervalMs,
        exclusive,
        run: runOf(ctx, definition),
      });
      stopper.add(laneName, () => job.stop());
      return job;
    });
    return [name, jobs] as const;
  });
  const byName = new Map(started);
  return {
    wake(name) {
      for (const job of byName.get(name) ?? []) void job.runNow();
    },
  };
}

function runOf<Context>(
  ctx: Context,
  definition: JobDefinition<Context, string>,
): (signal: AbortSignal) => Promise<void> {
  if ('run' in definition) return (signal) => definition.run(ctx, signal);
  const rounds = definition.rounds(ctx);
  return (signal) => rounds.run(signal);
}
