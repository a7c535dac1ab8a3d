import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  EndOperatorCallRequest,
  EndOperatorCallResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { parseUuid } from '../../admin/parse-input.ts';
import { parseOutcome, uuidOf } from '../../console/operator-call.ts';
import type { Context } from '../../context.ts';
import { endAuditEntry } from '../../sql/audit-entry.ts';

export async function endOperatorCall(
  ctx: Context,
  req: EndOperatorCallRequest,
): RpcResponse<typeof EndOperatorCallResponseSchema> {
  const id = parseUuid(req.id, 'id');
  await endAuditEntry(ctx.db, { id, objectId: uuidOf(req.objectId), ...parseOutcome(req) });
  return {};
}
