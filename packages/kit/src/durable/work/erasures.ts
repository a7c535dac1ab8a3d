import { awaitWritesBeforeErasure } from '../../postgres/erasure-barrier.ts';
import type { Tx } from '../../postgres/index.ts';
import type { JobContext } from './jobs.ts';
import { createRounds, type Leased, type Rounds, type WorkQueue } from './queue.ts';

/** Deletes a bounded part of what is left of an erased user. True: nothing is left that this step deletes. */
export type ErasureStep<Erasure extends Leased> = (tx: Tx, erasure: Erasure) => Promise<boolean>;

export type ErasureOptions<Erasure extends Leased> = {
  queue: WorkQueue<Erasure>;
  /**
   * The column that says which erasure of the user it is, where writes take no lock that a step waits for: each step then waits for
   * the writes of transactions that did not see the erasure.
   */
  afterWrites?: keyof Erasure;
  /** Steps in their order; a step begins when nothing is left for the steps before it. */
  steps: readonly ErasureStep<Erasure>[];
};

/** Erases users in bounded steps, each in a transaction of its own, so that a crash repeats one step at most. */
export function createErasures<Erasure extends Leased>(
  { db, log, clock }: JobContext,
  { queue, afterWrites, steps }: ErasureOptions<Erasure>,
): Rounds {
  return createRounds({
    queue,
    db,
    log,
    clock,
    async step(erasure) {
      if (afterWrites !== undefined) await awaitWritesBeforeErasure(db, erasure.app_id);
      await queue.work(db, erasure, async (tx, held) => {
        // The user was erased again: the wait above did not include writes from before that.
        if (afterWrites !== undefined && held[afterWrites] !== erasure[afterWrites]) return false;
        for (const step of steps) if (!(await step(tx, held))) return false;
        return true;
      });
    },
  });
}
