import { Code, ConnectError } from '@connectrpc/connect';
import type { BlobUpload } from '@parley/blobs/store';
import { fail } from '@parley/domain/problems';
import { blobKey } from '../content/blob-key.ts';
import type { Context } from '../context.ts';
import { despiteDisconnect, withStepDeadline } from './step-deadline.ts';
import { completeUpload, listParts, listStagedParts } from '../sql/content-part.ts';
import type { ContentRow } from '../sql/content.ts';
import {
  releaseLease,
  restartUpload,
  setStoreUpload,
  type Lease,
  type LeasedRow,
} from '../sql/upload-lease.ts';
import { failUploadBusy, obtainLease } from './lease.ts';
import { receiveWithLease, type IncomingBytes } from './receive.ts';
import { createWriter } from './writer.ts';

export type Outcome = { stored: number; isComplete: boolean };

/** Decides which bytes to take, given how many are stored. Throws to refuse; undefined: the request has no bytes. */
export type PlanUpload = (stored: number) => IncomingBytes | undefined;

/**
 * Appends to an upload as its only writer, and completes it when all bytes are stored. Another process may continue where
 * this one stops or crashes. Problems: those of `plan`, conflict, service_unavailable.
 */
export async function append(ctx: Context, content: ContentRow, plan: PlanUpload): Promise<Outcome> {
  const { lease, row } = await obtainLease(ctx, { appId: content.app_id, id: content.id });
  return despiteDisconnect(() => appendOrRestart(ctx, content, { lease, row, plan }));
}

async function appendOrRestart(ctx: Context, content: ContentRow, leased: Leased): Promise<Outcome> {
  const { lease } = leased;
  try {
    return await appendLeased(ctx, content, leased);
  } catch (error) {
    if (!isLostByStore(error)) throw error;
    const { app_id: appId, id: contentId } = content;
    ctx.log.error({ error, appId, contentId }, 'store lost an upload; client must restart it');
    await ctx.blobs.discard(blobKey(lease));
    await restartUpload(ctx.db, lease);
    return { stored: 0, isComplete: false };
  } finally {
    await release(ctx, lease);
  }
}

type Leased = { lease: Lease; row: LeasedRow; plan: PlanUpload };

async function appendLeased(
  ctx: Context,
  content: ContentRow,
  { lease, row, plan }: Leased,
): Promise<Outcome> {
  const incoming = plan(row.stored);
  const upload = await obtainStoreUpload(ctx, content, lease, row);
  const staged = await withStepDeadline(() => listStagedParts(ctx.db, lease));
  const writer = createWriter(ctx, { lease, row, upload, staged, size: content.size });
  try {
    if (incoming) await receiveWithLease(ctx, lease, writer, incoming);
    if (writer.stored < content.size) return { stored: writer.stored, isComplete: false };
    await complete(ctx, content, lease, upload);
    return { stored: content.size, isComplete: true };
  } finally {
    await writer.settle();
  }
}

async function complete(ctx: Context, content: ContentRow, lease: Lease, upload: BlobUpload): Promise<void> {
  const parts = await listParts(ctx.db, lease);
  await ctx.blobs.complete(upload, parts, { contentType: content.content_type });
  if (!(await completeUpload(ctx.db, lease, ctx.clock.now()))) failUploadBusy();
}

async function obtainStoreUpload(
  ctx: Context,
  content: ContentRow,
  lease: Lease,
  row: LeasedRow,
): Promise<BlobUpload> {
  const key = blobKey(lease);
  if (row.store_upload_id !== null) return { key, uploadId: row.store_upload_id };
  const uploadId = await ctx.blobs.begin(key, { contentType: content.content_type });
  if (!(await setStoreUpload(ctx.db, lease, uploadId))) failUploadBusy();
  return { key, uploadId };
}

/** The store no longer has bytes that it acknowledged: only the client can send them again. */
function isLostByStore(error: unknown): boolean {
  if (!(error instanceof ConnectError) || error.details.length > 0) return false;
  return error.code === Code.NotFound || error.code === Code.DataLoss;
}

/** Releases a lease. If that fails the lease expires by itself. */
async function release(ctx: Context, lease: Lease): Promise<void> {
  await withStepDeadline(() => releaseLease(ctx.db, lease)).catch((error: unknown) => {
    ctx.log.warn(
      { error, appId: lease.appId, contentId: lease.id },
      'failed to release upload lease; it will expire',
    );
  });
}

/** Refuses bytes that would leave a gap. Problems: invalid_request. */
export function requireNoGap(start: number, stored: number): void {
  if (start <= stored) return;
  fail('invalid_request', {
    message: `Bytes ${stored} to ${start - 1} are missing: continue at byte ${stored}.`,
  });
}
