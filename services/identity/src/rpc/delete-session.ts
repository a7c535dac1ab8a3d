import { failNotFound } from '@parley/domain/problems';
import type {
  DeleteSessionRequest,
  DeleteSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { hashToken } from '../session/secret-token.ts';
import { publishSessionsEnded } from '../session/sessions.ts';
import { deletePushTokensOfSession } from '../sql/push-token.ts';
import { deleteSession as deleteSessionRow } from '../sql/session.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Ends a session, and the pushes to its device. Fails with not_found unless the token is of a session that the user has. */
export async function deleteSession(
  ctx: Context,
  { appId, userId, sessionToken }: DeleteSessionRequest,
): RpcResponse<typeof DeleteSessionResponseSchema> {
  const user = { appId, userId };
  return ctx.db.tx(async (tx) => {
    const id = await deleteSessionRow(tx, { ...user, tokenHash: hashToken(sessionToken) });
    if (id === undefined) return failNotFound('session', null);
    await deletePushTokensOfSession(tx, user, id);
    await publishSessionsEnded(ctx, tx, user, [id]);
    return {};
  });
}
