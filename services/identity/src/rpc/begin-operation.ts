import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound, problemOf } from '@parley/domain/problems';
import type {
  BeginOperationRequest,
  BeginOperationRequest_Login as Login,
  BeginOperationResponseSchema,
} from '@parley/proto/parley/identity/v1/operation_service_pb';
import type { Context } from '../context.ts';
import { answerSealer, unpackAnswer } from '../idempotency/answers.ts';
import { KEY_LIFETIME_MS } from '../idempotency/lifetimes.ts';
import { verifyFreshLogin } from '../login/verify-login.ts';
import { claimIdempotencyKey, findIdempotencyKey, type IdempotencyKeyRef } from '../sql/idempotency-key.ts';
import type { RpcContext } from './rpc-context.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Approximate size of a key without its answer. */
const KEY_BYTES = 200;
/** All bytes of an hour expire together. */
const RETRY_AFTER_SECONDS = 3_600;

/**
 * Stores an idempotency key before its request is carried out, so that a request repeated after a crash continues the
 * same operation. A key that has an answer gets it again. A login, which has no authenticated caller yet, takes no share of an application.
 */
export function beginOperation(
  ctx: RpcContext,
  request: BeginOperationRequest,
): RpcResponse<typeof BeginOperationResponseSchema> {
  if (request.login) return begin(ctx, request);
  return ctx.shares.run(request.appId, () => begin(ctx, request));
}

async function begin(
  ctx: Context,
  { appId, keyHash: hash, fingerprint, login, takesReferences }: BeginOperationRequest,
): RpcResponse<typeof BeginOperationResponseSchema> {
  if (!isUuid(appId)) return failNotFound('app', appId);
  if (login) await requireGenuineLogin(ctx, { appId, hash }, login);
  await requireRoom(ctx, { appId, hash });
  const operationId = ctx.newId();
  const now = ctx.clock.now();
  const key = { appId, hash };
  const claim = { fingerprint, operationId, now, forgottenBefore: now - KEY_LIFETIME_MS };
  if (await claimIdempotencyKey(ctx.db, key, claim)) {
    ctx.keyUsage.add(appId, KEY_BYTES);
    return { operationId };
  }
  const known = await findIdempotencyKey(ctx.db, key);
  // The key has just expired and was deleted.
  if (!known) return fail('service_unavailable');
  if (!known.fingerprint.equals(fingerprint)) return { differs: true };
  const kept = await unpackAnswer(answerSealer(ctx), known);
  const isUsable = kept && (takesReferences || 'answer' in kept);
  return { operationId: known.operation_id, ...(isUsable && kept) };
}

/**
 * Refuses new keys of an application whose keys take all the bytes that they may, before anything is done: an operation without a record
 * could run twice. Problems: rate_limit_exceeded.
 */
async function requireRoom(ctx: Context, key: IdempotencyKeyRef): Promise<void> {
  if ((await ctx.keyUsage.of(key.appId)) < ctx.config.maxKeyBytesPerApp) return;
  if (await findIdempotencyKey(ctx.db, key)) return;
  fail('rate_limit_exceeded', {
    message:
      'The Idempotency-Keys of the application take all the space that they may; keys are forgotten after a day.',
    data: { policy: 'idempotency-keys' },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * A login has no authenticated caller yet, so a key is stored only for a login that would succeed. A stored key stays
 * valid after the nonce was used and the identity token expired.
 */
async function requireGenuineLogin(ctx: Context, key: IdempotencyKeyRef, login: Login): Promise<void> {
  try {
    await verifyFreshLogin(ctx, login);
  } catch (error) {
    const isOfToken = problemOf(error)?.id === 'invalid_property';
    if (!isOfToken || !(await findIdempotencyKey(ctx.db, key))) throw error;
  }
}
