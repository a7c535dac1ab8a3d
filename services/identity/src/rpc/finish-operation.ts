import type {
  FinishOperationRequest,
  FinishOperationResponseSchema,
} from '@parley/proto/parley/identity/v1/operation_service_pb';
import type { Context } from '../context.ts';
import { answerSealer } from '../idempotency/answers.ts';
import { recordAnswer } from '../sql/idempotency-key.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Stores the answer of an idempotency key's request. Of concurrent attempts the first one's answer holds for all. */
export async function finishOperation(
  ctx: Context,
  { appId, keyHash: hash, operationId, answer }: FinishOperationRequest,
): RpcResponse<typeof FinishOperationResponseSchema> {
  const sealer = answerSealer(ctx);
  const sealed = sealer.seal(answer, operationId);
  const recorded = await recordAnswer(ctx.db, { appId, hash }, { operationId, answer: sealed });
  return { answer: recorded ? sealer.open(recorded, operationId) : answer };
}
