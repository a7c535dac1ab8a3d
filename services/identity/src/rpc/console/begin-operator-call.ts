import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  BeginOperatorCallRequest,
  BeginOperatorCallResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { entryOfCall } from '../../console/operator-call.ts';
import type { Context } from '../../context.ts';
import { insertAuditEntry } from '../../sql/audit-entry.ts';

export async function beginOperatorCall(
  ctx: Context,
  { call }: BeginOperatorCallRequest,
): RpcResponse<typeof BeginOperatorCallResponseSchema> {
  const entry = entryOfCall(ctx, call);
  await insertAuditEntry(ctx.db, entry);
  return { id: entry.id };
}
