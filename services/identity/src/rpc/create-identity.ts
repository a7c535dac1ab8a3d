import { fromBinary, toBinary } from '@parley/codec';
import { fail } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/durable/once';
import { IdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import type {
  CreateIdentityRequest,
  CreateIdentityResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { changeIdentity } from '../identity/change.ts';
import { checkNamedIdentity } from '../identity/fields.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Fails with conflict if the user exists. */
export async function createIdentity(
  ctx: Context,
  req: CreateIdentityRequest,
): RpcResponse<typeof CreateIdentityResponseSchema> {
  const wanted = checkNamedIdentity(req.identity);
  const identity = await ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'create identity',
      run: () =>
        changeIdentity(ctx, tx, wanted, (before) =>
          before ? fail('conflict', { message: 'The identity exists already.' }) : wanted,
        ),
      save: (created) => toBinary(IdentitySchema, created),
      load: (saved) => fromBinary(IdentitySchema, saved),
    }),
  );
  return { identity };
}
