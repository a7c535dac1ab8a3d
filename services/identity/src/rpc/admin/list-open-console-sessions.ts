import type {
  ListOpenConsoleSessionsRequest,
  ListOpenConsoleSessionsResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { parsePageSize, parseUuid } from '../../admin/parse-input.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';
import { listOpenConsoleSessions as listOpenConsoleSessionRows } from '../../sql/console-session.ts';

/** Sessions have many roles, so a page is small. */
const MAX_SESSIONS = 100;

export async function listOpenConsoleSessions(
  ctx: Context,
  { pageSize, fromId }: ListOpenConsoleSessionsRequest,
): RpcResponse<typeof ListOpenConsoleSessionsResponseSchema> {
  const page = {
    fromId: fromId === '' ? undefined : parseUuid(fromId, 'from_id'),
    now: ctx.clock.now(),
    limit: Math.min(parsePageSize(pageSize), MAX_SESSIONS),
  };
  return { sessions: (await listOpenConsoleSessionRows(ctx.db, page)).map(toConsoleSession) };
}
