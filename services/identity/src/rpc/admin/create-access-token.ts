import type {
  CreateAccessTokenRequest,
  CreateAccessTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { toAccessToken } from '../../admin/view.ts';
import { newSecretToken } from '../../session/secret-token.ts';
import { insertAccessToken } from '../../sql/access-token.ts';
import { parseExpiry, parseName } from '../../admin/parse-input.ts';
import { getApp } from '../../admin/look-up.ts';

/** Returns the token, once: only its hash is stored. */
export async function createAccessToken(
  ctx: Context,
  req: CreateAccessTokenRequest,
): RpcResponse<typeof CreateAccessTokenResponseSchema> {
  const name = parseName(req.name);
  const now = ctx.clock.now();
  const expiresAt = parseExpiry(req.expiresAt, now);
  const { app_uuid: appId } = await getApp(ctx, req.appUuid);
  const { token, hash: tokenHash } = newSecretToken();
  const id = ctx.newId();
  const row = await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { appId, action: 'access_token.created', actor: 'admin', subject: id });
    return insertAccessToken(tx, { id, appId, name, tokenHash, expiresAt, createdAt: now });
  });
  return { accessToken: toAccessToken(ctx.wire, row), token };
}
