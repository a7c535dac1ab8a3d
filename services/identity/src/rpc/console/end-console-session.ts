import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  EndConsoleSessionRequest,
  EndConsoleSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { resumeSession } from '../../console/sessions.ts';
import type { Context } from '../../context.ts';
import { deleteConsoleSession } from '../../sql/console-session.ts';

export async function endConsoleSession(
  ctx: Context,
  { token, sessionId }: EndConsoleSessionRequest,
): RpcResponse<typeof EndConsoleSessionResponseSchema> {
  const { issuer, subject, id: own } = await resumeSession(ctx, token);
  const id = sessionId === '' ? own : sessionId;
  const ended = isUuid(id) && (await deleteConsoleSession(ctx.db, { issuer, subject, id }));
  return ended ? {} : failNotFound('session', id);
}
