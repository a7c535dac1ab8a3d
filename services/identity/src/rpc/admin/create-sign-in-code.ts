import type { CreateSignInCodeResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { newSecretToken } from '../../session/secret-token.ts';
import { insertSignInCode } from '../../sql/sign-in-code.ts';

const LIFETIME_MS = 600_000;

/** Returns the code, once: only its hash is stored. */
export async function createSignInCode(ctx: Context): RpcResponse<typeof CreateSignInCodeResponseSchema> {
  const { token: code, hash } = newSecretToken();
  const expiresAt = ctx.clock.now() + LIFETIME_MS;
  await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { action: 'sign_in_code.created', actor: 'admin', subject: '' });
    await insertSignInCode(tx, hash, expiresAt);
  });
  return { code, expiresAt };
}
