import { createHash } from 'node:crypto';
import { fail, failNotFound } from '@parley/domain/problems';
import { currentContext, runInContext } from '@parley/kit/runtime/request-context';
import type { ApiContext, Uses } from '../context.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import { answerOf, referenceOf, type AnswerReference } from './answer-reference.ts';
import type { ApiRequest, KeyScope, Route } from '../request/route.ts';

export type Repeatable = {
  route: Route;
  request: ApiRequest;
  /** Path and query as they were sent. */
  target: string;
};

/** Requests by which callers read objects they have made. */
export type Reader = {
  isRead(path: string): boolean;
  /** Runs a GET for the caller, exempt from the request limits. */
  read(path: string, request: ApiRequest): Promise<HttpResponse>;
};

const VALID_KEY = /^[\x20-\x7e]{1,255}$/;
/** Statuses of answers that are not recorded: the caller retries, and the next attempt continues the operation. */
const TRANSIENT_STATUSES = new Set([401, 408, 429, 499]);

/**
 * Gives repeated POSTs with the same Idempotency-Key the same answer, for a day. The operation is recorded before it begins, and each
 * service stores its effect under the operation's id, so an attempt after a crash, or a concurrent one, finds the effect of the first.
 * docs/protocol/requests.md#repeating-a-request. Problems: conflict (another request used the key), invalid_property.
 */
export async function answerOnce(
  ctx: ApiContext,
  { route, request, target }: Repeatable,
  { run, reader }: { run: () => Promise<HttpResponse>; reader: Reader },
): Promise<HttpResponse> {
  const key = request.headers['idempotency-key'];
  if (route.method !== 'POST' || key === undefined) return run();
  const scope = await scopeOf(ctx, route, request);
  if (!scope) return run();
  if (typeof key !== 'string' || !VALID_KEY.test(key)) {
    const data = { header: 'Idempotency-Key' };
    return fail('invalid_property', {
      message: 'The Idempotency-Key must be 1 to 255 ASCII characters.',
      data,
    });
  }
  // A later user with an erased user's id has keys of their own.
  const incarnation = scope.incarnation ? [scope.incarnation] : [];
  const keyHash = hashOf([scope.caller, key, ...incarnation]);
  const fingerprint = hashOf([target, request.body ?? null]);
  const { appId, login } = scope;
  const { operationId, differs, answer, reference } = await ctx.operations.beginOperation({
    appId,
    keyHash,
    fingerprint,
    takesReferences: true,
    ...(login && { login }),
  });
  if (differs) {
    fail('conflict', {
      message: 'The Idempotency-Key was given with another request.',
      data: { header: 'Idempotency-Key' },
    });
  }
  if (answer !== undefined) return JSON.parse(answer) as HttpResponse;
  const again = () => inOperation(operationId, run);
  if (reference !== undefined)
    return renderAgain(JSON.parse(reference) as AnswerReference, { route, request, reader, again });
  const answered = await again();
  if (answered.status >= 500 || TRANSIENT_STATUSES.has(answered.status)) return answered;
  return record(ctx, { appId, keyHash, operationId }, { answered, route, request, reader, again });
}

type Rendering = {
  route: Route;
  request: ApiRequest;
  reader: Reader;
  again: () => Promise<HttpResponse>;
};

/** The recorded answer, with its object as the caller would read it now. Problems: not_found, those of reading it. */
async function renderAgain(
  reference: AnswerReference,
  { route, request, reader, again }: Rendering,
): Promise<HttpResponse> {
  if (reference.path === undefined) return again();
  const read = await reader.read(reference.path, request);
  const answer = answerOf(reference, read);
  if (answer) return answer;
  // The answer to a message that is not found has no body, but routes about other objects promise one.
  return read.body === undefined && !route.emptyNotFound ? failNotFound('message', reference.id) : read;
}

async function scopeOf(ctx: ApiContext, route: Route, request: ApiRequest): Promise<KeyScope | undefined> {
  if (route.keyScope) return route.keyScope(ctx, request);
  const { appId, userId, incarnation, view } = request;
  return appId ? { appId, caller: `${view.audience} ${userId}`, incarnation } : undefined;
}

/** Runs without the abort signal of the request: an operation is finished and recorded even if the client disconnects. */
function inOperation(operationId: string, run: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const { requestId = '', deadline, actor } = currentContext() ?? {};
  return runInContext({ requestId, deadline, operationId, actor }, run);
}

/** A failure to record does not change the answer: a repeated request finds the effect. */
async function record(
  { operations, config, log }: Uses<'config' | 'log' | 'operations'>,
  operation: { appId: string; keyHash: Uint8Array; operationId: string },
  { answered, ...rendering }: Rendering & { answered: HttpResponse },
): Promise<HttpResponse> {
  try {
    const { isRead } = rendering.reader;
    const found = referenceOf(answered, { baseUrl: config.publicUrl, isRead });
    const reference = found && JSON.stringify(found);
    // A refusal carries its body as JSON, too, which is not recorded.
    const { json, ...kept } = answered;
    const answer = JSON.stringify(kept.body === undefined ? answered : kept);
    const request = { ...operation, answer, ...(reference !== undefined && { reference }) };
    const { requestId = '' } = currentContext() ?? {};
    const recorded = await runInContext({ requestId }, () => operations.finishOperation(request));
    if (recorded.reference === undefined) return JSON.parse(recorded.answer) as HttpResponse;
    if (recorded.reference === reference) return answered;
    return await renderAgain(JSON.parse(recorded.reference) as AnswerReference, rendering);
  } catch (error) {
    log.warn(
      { error },
      'failed to record an answer under its Idempotency-Key; a repeated request runs again',
    );
    return answered;
  }
}

function hashOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}
