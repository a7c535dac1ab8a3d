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
import { deleteTokensOfConsoleSession } from '../../sql/console-token.ts';
import { insertRevocations } from '../../sql/revocation.ts';

/** With the tokens of applications that the session got. */
export async function endConsoleSession(
  ctx: Context,
  { token, sessionId }: EndConsoleSessionRequest,
): RpcResponse<typeof EndConsoleSessionResponseSchema> {
  const { issuer, subject, id: own } = await resumeSession(ctx, token);
  const id = sessionId === '' ? own : sessionId;
  if (!isUuid(id)) return failNotFound('session', id);
  await ctx.db.tx(async (tx) => {
    if (!(await deleteConsoleSession(tx, { issuer, subject, id }))) failNotFound('session', id);
    await ctx.journal.add(tx, { kind: 'console_session.ended', id });
    for (const token of await deleteTokensOfConsoleSession(tx, id)) {
      await ctx.journal.add(tx, { kind: 'access_token.deleted', id: token.id });
      const subjects = [{ accessTokenId: token.id }];
      await insertRevocations(tx, { appId: token.app_id, subjects, now: ctx.clock.now() });
    }
  });
  return {};
}
