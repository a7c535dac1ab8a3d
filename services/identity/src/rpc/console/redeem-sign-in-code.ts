import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  RedeemSignInCodeRequest,
  RedeemSignInCodeResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { openConsoleSession } from '../../console/sessions.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';
import { hashToken } from '../../session/secret-token.ts';
import { takeSignInCode } from '../../sql/sign-in-code.ts';

/** The person who signs in with a code: someone who can read the terminal in which the platform was started. */
const LOCAL_OWNER = {
  issuer: 'local',
  subject: 'owner',
  name: 'Local owner',
  roles: [{ role: 'owner', app_id: null }],
  method: 'code' as const,
};

export async function redeemSignInCode(
  ctx: Context,
  { code }: RedeemSignInCodeRequest,
): RpcResponse<typeof RedeemSignInCodeResponseSchema> {
  return ctx.db.tx(async (tx) => {
    if (!(await takeSignInCode(tx, hashToken(code), ctx.clock.now()))) {
      fail('authentication_required', { message: 'The sign-in code is not valid, has expired or was used.' });
    }
    const { session, token } = await openConsoleSession(ctx, tx, LOCAL_OWNER);
    return { session: toConsoleSession(session), token };
  });
}
