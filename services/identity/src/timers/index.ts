import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { startLog } from '../events/event-log.ts';
import { createFollowRequests } from './follow-requests.ts';
import { createFollowerNotices } from './notify-followers.ts';
import { releaseSilentGateways } from './release-silent-gateways.ts';
import { sweepAudit } from './sweep-audit.ts';
import { sweepConsole } from './sweep-console.ts';
import { sweepFigures } from './sweep-figures.ts';
import { sweepIdempotencyKeys } from './sweep-idempotency-keys.ts';
import { sweepIdentityChanges } from './sweep-identity-changes.ts';
import { sweepRevocations } from './sweep-revocations.ts';
import { sweepSessions } from './sweep-sessions.ts';
import { sweepUsedNonces } from './sweep-used-nonces.ts';
import { writeIdentityWords } from './write-identity-words.ts';

const MINUTE_MS = 60_000;

export type Timers = {
  /** Wakes the delivery of queued changes of identities to followers. */
  notifyFollowers(): void;
};

/** Starts everything that happens because time passed. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  const jobs = startJobs(ctx, stopper, [
    { name: 'sweep-used-nonces', intervalMs: MINUTE_MS, run: sweepUsedNonces },
    { name: 'sweep-idempotency-keys', intervalMs: 10 * MINUTE_MS, run: sweepIdempotencyKeys },
    { name: 'sweep-sessions', intervalMs: MINUTE_MS, run: sweepSessions },
    { name: 'sweep-console', intervalMs: MINUTE_MS, run: sweepConsole },
    { name: 'sweep-audit', intervalMs: 10 * MINUTE_MS, run: sweepAudit },
    { name: 'sweep-revocations', intervalMs: 10 * MINUTE_MS, run: sweepRevocations },
    { name: 'sweep-identity-changes', intervalMs: 10 * MINUTE_MS, run: sweepIdentityChanges },
    { name: 'sweep-figures', intervalMs: 10 * MINUTE_MS, run: sweepFigures },
    { name: 'write-identity-words', intervalMs: 1_000, run: writeIdentityWords },
    { name: 'release-silent-gateways', intervalMs: 2_000, run: releaseSilentGateways },
    { name: 'follow-requests', intervalMs: 300, idleMs: 1_000, rounds: createFollowRequests },
    // In two lanes of every replica: a user with very many followers delays no other user's followers.
    { name: 'notify-followers', intervalMs: 500, exclusive: false, lanes: 2, rounds: createFollowerNotices },
  ]);
  startLog(ctx, stopper);
  return { notifyFollowers: () => jobs.wake('notify-followers') };
}
