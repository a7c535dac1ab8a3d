import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  RecordContentReadRequest,
  RecordContentReadResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';

export async function recordContentRead(
  ctx: Context,
  { appId, subject }: RecordContentReadRequest,
): RpcResponse<typeof RecordContentReadResponseSchema> {
  await ctx.db.tx((tx) =>
    audit(ctx, tx, { appId, action: 'message_content.read', actor: 'server', subject }),
  );
  return {};
}
