import { fail, problemOf } from '@parley/domain/problems';
import { uploadedJson } from '../content/view.ts';
import { contextOf, type Context } from '../context.ts';
import { cancelUpload, status, type ContentRow } from '../sql/content.ts';
import { inTime } from '../upload/step-deadline.ts';
import { requireAlive, uploaderOf } from '../upload/address.ts';
import { append, requireNoGap, type Outcome, type Plan } from '../upload/append.ts';
import { readAnnounced } from './content-range.ts';
import { allowOrigin, uploadPreflight } from './cors.ts';
import { bodyOf, headerOf, sendEmpty, sendJson, type Exchange } from './exchange.ts';
import { handleTus, isTus } from './tus.ts';

/** What an upload's address answers. The address itself is the authorization. SPEC completions 11 */
export async function handleUpload(given: Context, exchange: Exchange): Promise<void> {
  allowOrigin(exchange, '*');
  if (exchange.req.method === 'OPTIONS') return answerPreflight(given, exchange);
  const content = await find(given, exchange);
  const ctx = contextOf(given, content.app_id);
  allowOrigin(exchange, content.origin);
  requireAlive(ctx, content);
  if (isTus(exchange)) return handleTus(ctx, exchange, content);
  switch (exchange.req.method) {
    case 'PUT':
    case 'POST':
      return receiveBytes(ctx, exchange, content);
    case 'DELETE':
      return cancel(ctx, exchange, content);
    default:
      exchange.res.setHeader('allow', 'PUT, POST, DELETE, HEAD, PATCH, OPTIONS');
      return fail('method_not_allowed');
  }
}

function find({ uploadTokens }: Context, { req, rest }: Exchange): Promise<ContentRow> {
  return uploadTokens.find(req, rest.replace(/^\//, '').split('?')[0] ?? '');
}

/** Never refused: a page learns what is wrong with its address from the answer to the request itself, which is limited. */
async function answerPreflight(ctx: Context, exchange: Exchange): Promise<void> {
  const content = await find(ctx, exchange).catch((error: unknown) => {
    if (!problemOf(error)) throw error;
    return undefined;
  });
  if (content) allowOrigin(exchange, content.origin);
  // Once the upload is known, its own origin counts.
  const headers = uploadPreflight(ctx.wire);
  sendEmpty(exchange, 204, content ? headers : { ...headers, 'access-control-max-age': '0' });
}

async function receiveBytes(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  const announced = readAnnounced(
    {
      contentRange: headerOf(exchange, 'content-range'),
      contentLength: headerOf(exchange, 'content-length'),
    },
    content.size,
  );
  if (content.status === status.uploaded) return sendJson(exchange, 200, uploadedJson(ctx, content));
  const isLeft = content.stored < content.size;
  if (announced.kind === 'status' && isLeft) return sendProgress(exchange, content.stored);
  const plan: Plan = (stored) => {
    if (announced.kind === 'status') return undefined;
    requireNoGap(announced.start, stored);
    return { ...announced, body: bodyOf(exchange) };
  };
  const outcome = await ctx.transfers.run(uploaderOf(content), () => append(ctx, content, plan));
  sendOutcome(ctx, exchange, content, outcome);
}

function sendOutcome(ctx: Context, exchange: Exchange, content: ContentRow, outcome: Outcome): void {
  if (outcome.isComplete) sendJson(exchange, 200, uploadedJson(ctx, content));
  else sendProgress(exchange, outcome.stored);
}

function sendProgress(exchange: Exchange, stored: number): void {
  sendEmpty(exchange, 308, stored > 0 ? { range: `bytes=0-${stored - 1}` } : {}, 'Resume Incomplete');
}

/** What is complete stays: it may be part of a message. */
async function cancel(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  const { app_id: appId, id } = content;
  if (await inTime(() => cancelUpload(ctx.db, { appId, id, at: ctx.clock.now() }))) {
    return sendEmpty(exchange, 499, {}, 'Client Closed Request');
  }
  return fail('invalid_request', { message: 'The upload is complete, or cancelled already.' });
}
