import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ResumeConsoleSessionRequest,
  ResumeConsoleSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { resumeSession } from '../../console/sessions.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';

export async function resumeConsoleSession(
  ctx: Context,
  { token }: ResumeConsoleSessionRequest,
): RpcResponse<typeof ResumeConsoleSessionResponseSchema> {
  return { session: toConsoleSession(await resumeSession(ctx, token)) };
}
