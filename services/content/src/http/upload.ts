import { fail, problemOf } from '@parley/domain/problems';
import { uploadedJson } from '../content/view.ts';
import { contextOf, type Context } from '../context.ts';
import { cancelUpload, STATUS, type ContentRow } from '../sql/content.ts';
import { withStepDeadline } from '../upload/step-deadline.ts';
import { requireUsableAddress, uploaderOf } from '../upload/address.ts';
import { append, requireNoGap, type Outcome, type PlanUpload } from '../upload/append.ts';
import { parseAnnouncedBody } from './content-range.ts';
import { allowOrigin, uploadPreflight } from './cors.ts';
import { bodyOf, headerOf, requirePlainBody, sendEmpty, sendJson, type Exchange } from './exchange.ts';
import { handleTus, isTus } from './tus.ts';

/** Answers a request to an upload's address, which is itself the authorization. docs/protocol/uploads.md#send-the-bytes */
export async function handleUpload(base: Context, exchange: Exchange): Promise<void> {
  allowOrigin(exchange, '*');
  if (exchange.req.method === 'OPTIONS') return answerPreflight(base, exchange);
  const content = await find(base, exchange);
  const ctx = contextOf(base, content.app_id);
  allowOrigin(exchange, content.origin);
  requireUsableAddress(ctx, content);
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

/** Never refused: the page reads what is wrong with its address from the answer to the actual request. */
async function answerPreflight(ctx: Context, exchange: Exchange): Promise<void> {
  const content = await find(ctx, exchange).catch((error: unknown) => {
    if (!problemOf(error)) throw error;
    return undefined;
  });
  if (content) allowOrigin(exchange, content.origin);
  // Not cached for an unknown upload: once it is found, its own origin is the one that counts.
  const headers = uploadPreflight(ctx.wire);
  sendEmpty(exchange, 204, content ? headers : { ...headers, 'access-control-max-age': '0' });
}

async function receiveBytes(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  requirePlainBody(exchange);
  const announced = parseAnnouncedBody(
    {
      contentRange: headerOf(exchange, 'content-range'),
      contentLength: headerOf(exchange, 'content-length'),
    },
    content.size,
  );
  if (content.status === STATUS.uploaded) return sendJson(exchange, 200, uploadedJson(ctx, content));
  const isIncomplete = content.stored < content.size;
  if (announced.kind === 'status' && isIncomplete) return sendProgress(exchange, content.stored);
  const plan: PlanUpload = (stored) => {
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

/** A complete upload is not cancelled: a message may refer to it. */
async function cancel(ctx: Context, exchange: Exchange, content: ContentRow): Promise<void> {
  const { app_id: appId, id } = content;
  if (await withStepDeadline(() => cancelUpload(ctx.db, { appId, id, at: ctx.clock.now() }))) {
    return sendEmpty(exchange, 499, {}, 'Client Closed Request');
  }
  return fail('invalid_request', { message: 'The upload is complete, or cancelled already.' });
}
