import type {
  ReplaceIdentityRequest,
  ReplaceIdentityResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { changeIdentity } from '../identity/change.ts';
import { checkNamedIdentity } from '../identity/fields.ts';
import { failUnknownUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Replaces every field. Fails with not_found if the user does not exist. */
export async function replaceIdentity(
  ctx: Context,
  req: ReplaceIdentityRequest,
): RpcResponse<typeof ReplaceIdentityResponseSchema> {
  const wanted = checkNamedIdentity(req.identity);
  const identity = await ctx.db.tx((tx) =>
    changeIdentity(ctx, tx, wanted, (before) =>
      before ? { ...wanted, suspended: before.suspended } : failUnknownUser(wanted.userId),
    ),
  );
  return { identity };
}
