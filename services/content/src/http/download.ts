import { serveBlob } from '@parley/blobs/serve-blob';
import { nameInMediaType } from '@parley/domain/filename';
import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import { blobKey } from '../content/blob-key.ts';
import { contextOf, type Context } from '../context.ts';
import { withStepDeadline } from '../upload/step-deadline.ts';
import { listUploaded } from '../sql/content.ts';
import { allowEveryOrigin, downloadPreflight } from './cors.ts';
import { sendEmpty, type Exchange } from './exchange.ts';

/**
 * Answers a download address: redirects to the store's own signed address, valid for as long as this one, or serves the
 * bytes itself when the store is a folder or downloads are configured to be streamed. Problems: access_denied, not_found.
 */
export async function handleDownload(ctx: Context, exchange: Exchange): Promise<void> {
  if (!openToPages(ctx, exchange)) return;
  const address = ctx.downloads.verify(exchange.rest);
  if (!address || address.expiresAt <= ctx.clock.now()) {
    return fail('access_denied', {
      message: 'The download address has expired or was never valid: ask for a new one.',
    });
  }
  const { appId, contentId, expiresAt, filename: nameOfPart } = address;
  if (!isUuid(appId) || !isUuid(contentId)) return failNotFound('content', contentId);
  const { db } = contextOf(ctx, appId);
  const [content] = await withStepDeadline(() => listUploaded(db, appId, [contentId]));
  if (!content) return failNotFound('content', contentId);
  const key = blobKey({ appId, id: contentId });
  const contentType = content.content_type;
  const filename = nameOfPart ?? content.filename ?? nameInMediaType(contentType);
  const isServedHere = ctx.folder !== undefined || ctx.config.streamDownloads;
  if (isServedHere) return serveBlob(ctx.blobs, { key, contentType, filename }, exchange);
  const location = await ctx.blobs.presign(key, { contentType, expiresAt, filename });
  sendEmpty(exchange, 302, { location });
}

/** Lets pages of every origin read the answer. False: this was a preflight, which is answered. Problems: method_not_allowed. */
export function openToPages(ctx: Context, exchange: Exchange): boolean {
  const { req, res } = exchange;
  allowEveryOrigin(exchange);
  if (req.method === 'GET' || req.method === 'HEAD') return true;
  if (req.method !== 'OPTIONS') {
    res.setHeader('allow', 'GET, HEAD, OPTIONS');
    return fail('method_not_allowed');
  }
  sendEmpty(exchange, 204, downloadPreflight(ctx.wire));
  return false;
}
