import type {
  UpdateIdentityRequest,
  UpdateIdentityResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { changeIdentity } from '../identity/change.ts';
import { checkIdentity, withFields } from '../identity/fields.ts';
import { failUnknownUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Changes the named fields. Fails with not_found if the user does not exist. */
export async function updateIdentity(
  ctx: Context,
  req: UpdateIdentityRequest,
): RpcResponse<typeof UpdateIdentityResponseSchema> {
  const wanted = checkIdentity(req.identity);
  const identity = await ctx.db.tx((tx) =>
    changeIdentity(ctx, tx, wanted, (before) =>
      before ? withFields(before, wanted, req.fields) : failUnknownUser(wanted.userId),
    ),
  );
  return { identity };
}
