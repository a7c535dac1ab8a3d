import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { collectContent } from './collect-content.ts';
import { eraseUsers } from './erase-users.ts';
import { forgetContent } from './forget-content.ts';
import { purgeBlobs } from './purge-blobs.ts';
import { createConversationReleases } from './release-conversations.ts';
import { createAppContentRemovals } from './remove-apps.ts';
import { settleUsages } from './settle-usage.ts';
import { verifyClaims } from './verify-claims.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export type Timers = {
  /** Wakes the job that releases the content of deleted conversations. */
  release(): void;
};

/** Starts the periodic jobs; each runs in one replica at a time. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  const jobs = startJobs(ctx, stopper, [
    { name: 'collect-content', intervalMs: MINUTE_MS, run: collectContent },
    { name: 'settle-usage', intervalMs: 10 * SECOND_MS, run: settleUsages },
    { name: 'purge-blobs', intervalMs: 2 * SECOND_MS, run: purgeBlobs },
    { name: 'remove-apps', intervalMs: MINUTE_MS, rounds: createAppContentRemovals },
    { name: 'erasures', intervalMs: SECOND_MS, rounds: eraseUsers },
    { name: 'release-conversations', intervalMs: SECOND_MS, rounds: createConversationReleases },
    { name: 'verify-claims', intervalMs: 10 * MINUTE_MS, run: verifyClaims },
    { name: 'forget-content', intervalMs: 60 * MINUTE_MS, run: forgetContent },
  ]);
  return { release: () => jobs.wake('release-conversations') };
}
