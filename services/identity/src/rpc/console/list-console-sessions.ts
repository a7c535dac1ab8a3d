import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ListConsoleSessionsRequest,
  ListConsoleSessionsResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { resumeSession } from '../../console/sessions.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';
import { listConsoleSessions as listConsoleSessionRows } from '../../sql/console-session.ts';

const MAX_SESSIONS = 100;

export async function listConsoleSessions(
  ctx: Context,
  { token }: ListConsoleSessionsRequest,
): RpcResponse<typeof ListConsoleSessionsResponseSchema> {
  const { issuer, subject } = await resumeSession(ctx, token);
  const page = { issuer, subject, now: ctx.clock.now(), limit: MAX_SESSIONS };
  return { sessions: (await listConsoleSessionRows(ctx.db, page)).map(toConsoleSession) };
}
