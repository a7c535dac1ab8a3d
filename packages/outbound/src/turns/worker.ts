import { unlessReadOnly } from '@parley/kit/postgres';
import { every } from '@parley/kit/durable/work/every';
import type { JobContext } from '@parley/kit/durable/work/jobs';
import {
  deleteWorker,
  releaseDeliveriesOfLostWorkers,
  releaseOtherDeliveries,
  upsertWorker,
} from './worker-rows.ts';

const HEARTBEAT_MS = 2000;
const LOST_AFTER_MS = 10_000;

export type Worker = {
  id: string;
  /** Releases what the worker has claimed besides these deliveries. */
  releaseOthers(keptIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Registers this process as a worker that claims deliveries, in the tables `worker` and `delivery` of its database. The
 * claims of a worker that dies are released.
 */
export async function startWorker({ db, log, clock }: JobContext, id: string): Promise<Worker> {
  await unlessReadOnly(upsertWorker(db, id), log);
  const timer = { db, log, clock, intervalMs: HEARTBEAT_MS };
  const seen = every({ ...timer, name: 'worker-seen', exclusive: false, run: () => upsertWorker(db, id) });
  const release = every({
    ...timer,
    name: 'worker-release',
    run: async () => {
      const count = await releaseDeliveriesOfLostWorkers(db, LOST_AFTER_MS);
      if (count > 0) log.warn({ count }, 'released deliveries of lost workers; they will be sent again');
    },
  });
  return {
    id,
    async releaseOthers(keptIds) {
      const count = await releaseOtherDeliveries(db, id, keptIds);
      if (count > 0) log.warn({ count }, 'released deliveries of claims whose answers were lost');
    },
    async stop() {
      await Promise.all([seen.stop(), release.stop()]);
      await deleteWorker(db, id);
    },
  };
}
