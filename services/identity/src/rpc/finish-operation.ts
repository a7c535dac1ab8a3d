import type {
  FinishOperationRequest,
  FinishOperationResponseSchema,
} from '@parley/proto/parley/identity/v1/operation_service_pb';
import type { Context } from '../context.ts';
import { answerSealer, packAnswer, unpackAnswer } from '../idempotency/answers.ts';
import { findIdempotencyKey, keepAnswer } from '../sql/idempotency-key.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/**
 * Stores the answer of an idempotency key's request, or its reference where the answer is too large, or the keys of the application take more
 * than half of the bytes that they may. Of concurrent attempts the first one's answer holds for all.
 */
export async function finishOperation(
  ctx: Context,
  { appId, keyHash: hash, operationId, answer, reference }: FinishOperationRequest,
): RpcResponse<typeof FinishOperationResponseSchema> {
  const sealer = answerSealer(ctx);
  const isShort = (await ctx.keyUsage.of(appId)) > ctx.config.maxKeyBytesPerApp / 2;
  const { bytes, kept } = await packAnswer(sealer, operationId, { answer, reference, isShort });
  const key = { appId, hash };
  if (await keepAnswer(ctx.db, key, { operationId, kept: bytes })) {
    ctx.keyUsage.add(appId, bytes.length);
    return { answer, ...kept };
  }
  const row = await findIdempotencyKey(ctx.db, key);
  if (row?.operation_id !== operationId) return { answer };
  return { answer, ...(await unpackAnswer(sealer, row)) };
}
