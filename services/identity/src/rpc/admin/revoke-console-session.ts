import { failNotFound } from '@parley/domain/problems';
import type {
  RevokeConsoleSessionRequest,
  RevokeConsoleSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import { parseUuid } from '../../admin/parse-input.ts';
import { endSession } from '../../console/end-session.ts';
import type { Context } from '../../context.ts';

/** The audit entry names whose session it was, since the session is gone. */
export async function revokeConsoleSession(
  ctx: Context,
  req: RevokeConsoleSessionRequest,
): RpcResponse<typeof RevokeConsoleSessionResponseSchema> {
  const id = parseUuid(req.consoleSessionId, 'console_session_id');
  await ctx.db.tx(async (tx) => {
    const { issuer, subject } = (await endSession(ctx, tx, { id })) ?? failNotFound('session', id);
    const ended = `${id} of ${subject} at ${issuer}`;
    await audit(ctx, tx, { action: 'console_session.revoked', actor: 'admin', subject: ended });
  });
  return {};
}
