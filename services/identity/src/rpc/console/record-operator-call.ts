import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  RecordOperatorCallRequest,
  RecordOperatorCallResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { entryOfCall, parseOutcome } from '../../console/operator-call.ts';
import type { Context } from '../../context.ts';
import { insertAuditEntry } from '../../sql/audit-entry.ts';

const MAX_COUNT = 2_147_483_647;

export async function recordOperatorCall(
  ctx: Context,
  req: RecordOperatorCallRequest,
): RpcResponse<typeof RecordOperatorCallResponseSchema> {
  const count = req.count > 1 ? Math.min(Math.trunc(req.count), MAX_COUNT) : undefined;
  await insertAuditEntry(ctx.db, { ...entryOfCall(ctx, req.call), ...parseOutcome(req), count });
  return {};
}
