import { awaitWritesBeforeErasure } from '../../postgres/erasure-barrier.ts';
import type { Tx } from '../../postgres/index.ts';
import type { JobContext } from './jobs.ts';
import { createRounds, type Leased, type Rounds, type WorkQueue } from './queue.ts';

/** Deletes a bounded part of an erased user's remaining data. True: nothing is left for this step to delete. */
export type ErasureStep<Erasure extends Leased> = (tx: Tx, erasure: Erasure) => Promise<boolean>;

export type ErasureOptions<Erasure extends Leased> = {
  queue: WorkQueue<Erasure>;
  /**
   * The column that identifies the user's erasure, where writes take no lock that a step would wait for: each step then waits for the
   * writes of transactions that did not see the erasure.
   */
  afterWrites?: keyof Erasure;
  /** The steps in order; a step begins when nothing is left for the earlier steps. */
  steps: readonly ErasureStep<Erasure>[];
};

/** Erases users in bounded steps, each in its own transaction, so that a crash repeats at most one step. */
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
        // The user was erased again: the wait above did not cover writes from before the new erasure.
        if (afterWrites !== undefined && held[afterWrites] !== erasure[afterWrites]) return false;
        for (const step of steps) if (!(await step(tx, held))) return false;
        return true;
      });
    },
  });
}
