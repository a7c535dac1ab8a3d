import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@parley/domain/problems';
import { startInterval } from '@parley/kit/runtime/clock';
import type { Context } from '../context.ts';
import { withStepDeadline } from './step-deadline.ts';
import { findContent, STATUS } from '../sql/content.ts';
import { renewLease, takeLease, type Lease, type LeasedRow } from '../sql/upload-lease.ts';

/** How long a writer that makes no progress keeps its lease. */
const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
/** How long a new writer waits for the one before it, whose connection may be dead without a sign. */
const WAIT_MS = 5_000;
const POLL_MS = 100;

/**
 * Takes the right to append. A writer without progress loses it to the next one; while a writer makes progress, others are
 * refused, as all are once the upload has ended. Problems: conflict.
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
    if (performance.now() > giveUpAt || (await hasEnded(ctx, content))) return failUploadBusy();
    await delay(POLL_MS);
  }
}

async function hasEnded(ctx: Context, content: { appId: string; id: string }): Promise<boolean> {
  const row = await withStepDeadline(() => findContent(ctx.db, content));
  return row?.status !== STATUS.uploading;
}

/** Problems: conflict. */
export function failUploadBusy(): never {
  return fail('conflict', { message: 'Another request is writing to this upload.', retryAfterSeconds: 2 });
}

/** Renews the lease every second while `isAlive` returns true. */
export function keepLease(ctx: Context, lease: Lease, isAlive: () => boolean): { stop(): void } {
  const stop = startInterval(RENEW_EVERY_MS, () => {
    if (!isAlive()) return;
    renewLease(ctx.db, lease, LEASE_MS).catch((error: unknown) => {
      ctx.log.warn(
        { error, appId: lease.appId, contentId: lease.id },
        'failed to renew upload lease; will retry',
      );
    });
  });
  return { stop };
}
