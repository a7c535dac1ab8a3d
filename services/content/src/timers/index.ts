import { every, type Job } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { collectContent } from './collect-content.ts';
import { createErasures } from './erase-users.ts';
import { forgetContent } from './forget-content.ts';
import { purgeBlobs } from './purge-blobs.ts';
import { createReleases } from './release-conversations.ts';
import { createRemovals } from './remove-apps.ts';
import { verifyClaims } from './verify-claims.ts';

const MINUTE_MS = 60_000;

export type Timers = {
  /** There are deleted conversations. */
  release(): void;
};

/** Everything that happens because time passed; each job runs in one of the replicas. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  start(ctx, stopper, { name: 'collect-content', intervalMs: MINUTE_MS, run: collectContent });
  start(ctx, stopper, { name: 'purge-blobs', intervalMs: 2_000, run: purgeBlobs });
  const removals = createRemovals(ctx);
  const remove = (_ctx: Context, signal: AbortSignal) => removals.run(signal);
  start(ctx, stopper, { name: 'remove-apps', intervalMs: MINUTE_MS, run: remove });
  const erasures = createErasures(ctx);
  const erase = (_ctx: Context, signal: AbortSignal) => erasures.run(signal);
  start(ctx, stopper, { name: 'erasures', intervalMs: 1_000, run: erase });
  const releases = createReleases(ctx);
  const release = (_ctx: Context, signal: AbortSignal) => releases.run(signal);
  const releasing = start(ctx, stopper, { name: 'release-conversations', intervalMs: 1_000, run: release });
  start(ctx, stopper, { name: 'verify-claims', intervalMs: 10 * MINUTE_MS, run: verifyClaims });
  start(ctx, stopper, { name: 'forget-content', intervalMs: 60 * MINUTE_MS, run: forgetContent });
  return { release: () => void releasing.runNow() };
}

type Timer = {
  name: string;
  intervalMs: number;
  run: (ctx: Context, signal: AbortSignal) => Promise<void>;
};

function start(ctx: Context, stopper: Stopper, { name, intervalMs, run }: Timer): Job {
  const { db, log, clock } = ctx;
  const job = every({ db, log, clock, name, intervalMs, run: (_db, signal) => run(ctx, signal) });
  stopper.add(name, () => job.stop());
  return job;
}
