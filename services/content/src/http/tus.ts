import { fail, problemOf } from '@parley/domain/problems';
import type { Context } from '../context.ts';
import { cancelUpload, findContent, STATUS, type ContentRow } from '../sql/content.ts';
import { withStepDeadline } from '../upload/step-deadline.ts';
import { UPLOAD_LIFETIME_MS, uploaderOf } from '../upload/address.ts';
import { append, type PlanUpload } from '../upload/append.ts';
import { bodyOf, headerOf, requirePlainBody, sendEmpty, type Exchange } from './exchange.ts';

const VERSION = '1.0.0';
const WHOLE_NUMBER = /^\d{1,15}$/;
const COMMON = { 'tus-resumable': VERSION };

/** Whether a request speaks tus 1.0, a second protocol for uploads that were created by the platform's own API. */
export function isTus(exchange: Exchange): boolean {
  const { method } = exchange.req;
  return headerOf(exchange, 'tus-resumable') !== undefined || method === 'PATCH' || method === 'HEAD';
}

/** Answers a tus request. Problems: method_not_allowed, invalid_request. */
export async function handleTus(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  if (headerOf(exchange, 'tus-resumable') !== VERSION) {
    return sendEmpty(exchange, 412, { ...COMMON, 'tus-version': VERSION });
  }
  switch (methodOf(exchange)) {
    case 'HEAD':
      return sendEmpty(exchange, 200, progress(content, await offsetOf(ctx, content)));
    case 'PATCH':
      return receivePatch(ctx, exchange, content);
    case 'DELETE':
      return terminate(ctx, exchange, content);
    default:
      exchange.res.setHeader('allow', 'HEAD, PATCH, DELETE, OPTIONS');
      return fail('method_not_allowed');
  }
}

/** Completes an upload that has all bytes: a client that sees the last offset takes it for complete. */
async function offsetOf(ctx: Context, content: ContentRow): Promise<number> {
  const isComplete = content.status === STATUS.uploaded;
  if (isComplete || content.stored < content.size) return content.stored;
  const complete = () => append(ctx, content, () => undefined);
  try {
    return (await ctx.transfers.run(uploaderOf(content), complete)).stored;
  } catch (error) {
    const { app_id: appId, id } = content;
    const row = await withStepDeadline(() => findContent(ctx.db, { appId, id }));
    // Another request may have completed it meanwhile.
    if (row?.status === STATUS.uploaded) return row.size;
    // Clients of tus ask again after 423, and give up after 429.
    throw problemOf(error)?.id === 'rate_limit_exceeded' ? new LockedError() : asLocked(error);
  }
}

function methodOf({ req }: Exchange): string | undefined {
  const override = req.headers['x-http-method-override'];
  return req.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : req.method;
}

function progress(content: ContentRow, stored: number): Record<string, string> {
  return {
    ...COMMON,
    'upload-offset': String(stored),
    'upload-length': String(content.size),
    'upload-expires': new Date(content.created_at + UPLOAD_LIFETIME_MS).toUTCString(),
  };
}

async function receivePatch(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  if (headerOf(exchange, 'content-type') !== 'application/offset+octet-stream') {
    return sendEmpty(exchange, 415, COMMON);
  }
  requirePlainBody(exchange);
  const offset = parseOffset(headerOf(exchange, 'upload-offset'));
  const length = Number(headerOf(exchange, 'content-length') ?? content.size - offset);
  if (offset + length > content.size) {
    return fail('invalid_request', { message: `The upload was declared with ${content.size} bytes.` });
  }
  if (content.status === STATUS.uploaded) {
    return sendEmpty(exchange, offset === content.size ? 204 : 409, progress(content, content.size));
  }
  let isOtherOffset = false;
  const plan: PlanUpload = (stored) => {
    isOtherOffset = stored !== offset;
    return isOtherOffset ? undefined : { start: offset, end: offset + length, body: bodyOf(exchange) };
  };
  const write = () => append(ctx, content, plan);
  const { stored } = await ctx.transfers.run(uploaderOf(content), write).catch((error: unknown) => {
    throw asLocked(error);
  });
  sendEmpty(exchange, isOtherOffset ? 409 : 204, progress(content, stored));
}

function parseOffset(header: string | undefined): number {
  if (header !== undefined && WHOLE_NUMBER.test(header)) return Number(header);
  return fail('invalid_request', { message: 'Upload-Offset is missing or malformed.' });
}

/** Turns a conflict with another writer into tus's status 423. */
function asLocked(error: unknown): unknown {
  return problemOf(error)?.id === 'conflict' ? new LockedError() : error;
}

/** Answered with status 423: another request is writing to the upload, or too many requests are. */
export class LockedError extends Error {}

async function terminate(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  const { app_id: appId, id } = content;
  const isCancelled = await withStepDeadline(() => cancelUpload(ctx.db, { appId, id, at: ctx.clock.now() }));
  if (isCancelled) return sendEmpty(exchange, 204, COMMON);
  return fail('invalid_request', { message: 'The upload is complete, or cancelled already.' });
}
