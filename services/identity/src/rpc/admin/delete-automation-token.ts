import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  DeleteAutomationTokenRequest,
  DeleteAutomationTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import { audit } from '../../admin/audit.ts';
import { parseUuid } from '../../admin/parse-input.ts';
import type { Context } from '../../context.ts';
import { deleteAutomationToken as deleteAutomationTokenRow } from '../../sql/automation-token.ts';

/** Nothing caches these tokens: the next request with it is refused. */
export async function deleteAutomationToken(
  ctx: Context,
  req: DeleteAutomationTokenRequest,
): RpcResponse<typeof DeleteAutomationTokenResponseSchema> {
  const id = parseUuid(req.automationTokenId, 'automation_token_id');
  await ctx.db.tx(async (tx) => {
    if (!(await deleteAutomationTokenRow(tx, id))) failNotFound('access_token', null);
    await ctx.journal.add(tx, { kind: 'automation_token.deleted', id });
    await audit(ctx, tx, { action: 'automation_token.deleted', actor: 'admin', subject: id });
  });
  return {};
}
