import { every } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { startLog } from '../event-log.ts';
import { createFollowRequests } from './follow-requests.ts';
import { releaseSilentGateways } from './release-silent-gateways.ts';
import { sweepIdentityChanges } from './sweep-identity-changes.ts';
import { sweepOperations } from './sweep-operations.ts';
import { sweepRevocations } from './sweep-revocations.ts';
import { sweepSessions } from './sweep-sessions.ts';
import { sweepUsedNonces } from './sweep-used-nonces.ts';

const jobs = [
  { name: 'sweep-used-nonces', intervalMs: 60_000, run: sweepUsedNonces },
  { name: 'sweep-operations', intervalMs: 600_000, run: sweepOperations },
  { name: 'sweep-sessions', intervalMs: 60_000, run: sweepSessions },
  { name: 'sweep-revocations', intervalMs: 600_000, run: sweepRevocations },
  { name: 'sweep-identity-changes', intervalMs: 600_000, run: sweepIdentityChanges },
  { name: 'release-silent-gateways', intervalMs: 2_000, run: releaseSilentGateways },
];

/** Everything that happens because time passed. */
export function startTimers(ctx: Context, stopper: Stopper): void {
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
}
