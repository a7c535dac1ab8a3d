import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@parley/domain/problems';
import { startInterval } from '@parley/kit/clock';
import type { Context } from '../context.ts';
import { withStepDeadline } from './step-deadline.ts';
import { renewLease, takeLease, type Lease, type LeasedRow } from '../sql/upload-lease.ts';

/** After the last sign of life of a writer: then another one may go on. */
const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
/** How long a new writer waits for one before it, whose connection may be dead without anybody knowing. */
const WAIT_MS = 5_000;
const POLL_MS = 100;

/**
 * The right to append. A writer that is silent loses it to one that comes; one that moves keeps it, and others are refused.
 * Problems: conflict.
 */
export async function obtainLease(
  ctx: Context,
  content: { appId: string; id: string },
): Promise<{ lease: Lease; row: LeasedRow }> {
  const lease = { ...content, leaseId: ctx.newId() };
  const giveUpAt = performance.now() + WAIT_MS;
  for (;;) {
    const row = await withStepDeadline(() => takeLease(ctx.db, lease, LEASE_MS));
    if (row) return { lease, row };
    if (performance.now() > giveUpAt) return failUploadBusy();
    await delay(POLL_MS);
  }
}

export function failUploadBusy(): never {
  return fail('conflict', { message: 'Somebody else is writing to this upload.', retryAfterSeconds: 2 });
}

/** Keeps the lease for as long as `isAlive` says so, asked every second. */
export function keepLease(ctx: Context, lease: Lease, isAlive: () => boolean): { stop(): void } {
  const stop = startInterval(RENEW_EVERY_MS, () => {
    if (!isAlive()) return;
    renewLease(ctx.db, lease, LEASE_MS).catch((error: unknown) => {
      ctx.log.warn({ error }, 'a lease could not be renewed');
    });
  });
  return { stop };
}
