import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  EndConsoleSessionRequest,
  EndConsoleSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { audit } from '../../admin/audit.ts';
import { endSession } from '../../console/end-session.ts';
import { resumeSession } from '../../console/sessions.ts';
import type { Context } from '../../context.ts';

/** Ends a session, with the tokens of applications that it got. */
export async function endConsoleSession(
  ctx: Context,
  { token, sessionId }: EndConsoleSessionRequest,
): RpcResponse<typeof EndConsoleSessionResponseSchema> {
  const { issuer, subject, id: own } = await resumeSession(ctx, token);
  const id = sessionId === '' ? own : sessionId;
  if (!isUuid(id)) return failNotFound('session', id);
  const person = { issuer, subject };
  await ctx.db.tx(async (tx) => {
    if (!(await endSession(ctx, tx, { id, person }))) failNotFound('session', id);
    await audit(ctx, tx, { action: 'console_session.ended', actor: 'admin', subject: id, person });
  });
  return {};
}
