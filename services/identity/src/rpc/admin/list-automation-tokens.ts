import type { RpcResponse } from '@parley/kit/rpc/response';
import type { ListAutomationTokensResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { toAutomationToken } from '../../console/automation-token.ts';
import type { Context } from '../../context.ts';
import { listAutomationTokens as listAutomationTokenRows } from '../../sql/automation-token.ts';

export async function listAutomationTokens(
  ctx: Context,
): RpcResponse<typeof ListAutomationTokensResponseSchema> {
  return { automationTokens: (await listAutomationTokenRows(ctx.db)).map(toAutomationToken) };
}
