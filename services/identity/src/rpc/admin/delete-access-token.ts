import type {
  DeleteAccessTokenRequest,
  DeleteAccessTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { deleteAccessToken as deleteAccessTokenRow } from '../../sql/access-token.ts';
import { insertRevocations } from '../../sql/revocation.ts';
import { parseId } from '../../admin/parse-input.ts';
import { failUnknown } from '../../admin/look-up.ts';

/** Requests with the token are refused within a second. */
export async function deleteAccessToken(
  ctx: Context,
  req: DeleteAccessTokenRequest,
): RpcResponse<typeof DeleteAccessTokenResponseSchema> {
  const id = parseId(ctx.wire, {
    kind: 'access_tokens',
    text: req.accessTokenId,
    property: 'access_token_id',
  });
  await ctx.db.tx(async (tx) => {
    const appId = (await deleteAccessTokenRow(tx, id)) ?? failUnknown('access_token', id);
    await insertRevocations(tx, { appId, subjects: [{ accessTokenId: id }], now: ctx.clock.now() });
    await ctx.journal.add(tx, { kind: 'access_token.deleted', id });
    await audit(ctx, tx, { appId, action: 'access_token.deleted', actor: 'admin', subject: id });
  });
  return {};
}
