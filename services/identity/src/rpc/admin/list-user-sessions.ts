import type {
  ListUserSessionsRequest,
  ListUserSessionsResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { listSessionsOfUser, type SessionRow } from '../../sql/session.ts';
import { requireUser } from '../../identity/users.ts';
import { namedUser } from '../../admin/look-up.ts';

export async function listUserSessions(
  ctx: Context,
  req: ListUserSessionsRequest,
): RpcResponse<typeof ListUserSessionsResponseSchema> {
  const user = await namedUser(ctx, req);
  await requireUser(ctx, user);
  const sessions = await listSessionsOfUser(ctx.db, { ...user, now: ctx.clock.now() });
  return { sessions: sessions.map(toSession) };
}

function toSession(row: SessionRow) {
  return { id: row.id, createdAt: row.created_at, expiresAt: row.expires_at };
}
