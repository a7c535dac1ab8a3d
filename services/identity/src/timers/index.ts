import { every, type Job } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { startLog } from '../events/event-log.ts';
import { createFollowRequests } from './follow-requests.ts';
import { releaseSilentGateways } from './release-silent-gateways.ts';
import { sweepIdentityChanges } from './sweep-identity-changes.ts';
import { sweepOperations } from './sweep-idempotency-keys.ts';
import { sweepRevocations } from './sweep-revocations.ts';
import { sweepSessions } from './sweep-sessions.ts';
import { sweepUsedNonces } from './sweep-used-nonces.ts';
import { createFollowerNotices } from './notify-followers.ts';

const jobs = [
  { name: 'sweep-used-nonces', intervalMs: 60_000, run: sweepUsedNonces },
  { name: 'sweep-operations', intervalMs: 600_000, run: sweepOperations },
  { name: 'sweep-sessions', intervalMs: 60_000, run: sweepSessions },
  { name: 'sweep-revocations', intervalMs: 600_000, run: sweepRevocations },
  { name: 'sweep-identity-changes', intervalMs: 600_000, run: sweepIdentityChanges },
  { name: 'release-silent-gateways', intervalMs: 2_000, run: releaseSilentGateways },
];

/** Steps of telling followers that are under way at once: a user whom very many follow keeps no other waiting. */
const TELLING = 2;

export type Timers = {
  /** Wakes the delivery of queued changes of identities to followers. */
  tellFollowers(): void;
};

/** Everything that happens because time passed. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  for (const { run, ...job } of jobs) {
    const { stop } = every({ ...job, db: ctx.db, log: ctx.log, clock: ctx.clock, run: () => run(ctx) });
    stopper.add(job.name, stop);
  }
  const followRequests = createFollowRequests(ctx);
  const { stop } = every({
    ...{ name: 'follow-requests', intervalMs: 300, db: ctx.db, log: ctx.log, clock: ctx.clock },
    run: (_db, signal) => followRequests.run(signal),
  });
  stopper.add('follow-requests', stop);
  startLog(ctx, stopper);
  const telling = Array.from({ length: TELLING }, (_, lane) => startTelling(ctx, stopper, lane));
  return {
    tellFollowers() {
      for (const job of telling) void job.runNow();
    },
  };
}

/** In every replica: what is due is leased. */
function startTelling(ctx: Context, stopper: Stopper, lane: number): Job {
  const { db, log, clock } = ctx;
  const notices = createFollowerNotices(ctx);
  const name = `tell-followers-${lane}`;
  const job = every({
    ...{ name, intervalMs: 500, exclusive: false, db, log, clock },
    run: (_db, signal) => notices.run(signal),
  });
  stopper.add(name, () => job.stop());
  return job;
}
