import { fail, failTooMany } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type {
  RegisterPushTokenRequest,
  RegisterPushTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { shareIncarnation } from '../sql/identity.ts';
import { countPushTokens, deleteOtherRegistrations, upsertPushToken } from '../sql/push-token.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/**
 * A push token belongs to the user who registered it last. The user is locked against erasure, so that no token of an
 * erased user is stored after the erasure. Problems: authentication_required, missing_property, invalid_operation.
 */
export async function registerPushToken(
  ctx: Context,
  request: RegisterPushTokenRequest,
): RpcResponse<typeof RegisterPushTokenResponseSchema> {
  const { appId, userId, token } = request;
  if (!token) return fail('missing_property', { property: 'token' });
  const registered = {
    deviceId: token.deviceId,
    type: token.type,
    token: token.token,
    details: token.details ?? {},
    updatedAt: ctx.clock.now(),
  };
  await ctx.db.tx(async (tx) => {
    await requireSession(tx, request);
    const before = await countPushTokens(tx, { appId, userId });
    await deleteOtherRegistrations(tx, { appId, userId }, registered);
    await upsertPushToken(tx, { appId, userId }, registered);
    const count = await countPushTokens(tx, { appId, userId });
    if (count > before) requireWithinLimit(ctx, count);
  });
  return {};
}

/** Problems: authentication_required if the session ended because its user was deleted or erased. */
async function requireSession(tx: Tx, request: RegisterPushTokenRequest): Promise<void> {
  const incarnation = await shareIncarnation(tx, request);
  if (incarnation === undefined) fail('authentication_required');
  if ((request.userIncarnation ?? incarnation) !== incarnation) fail('authentication_required');
}

/** Problems: invalid_operation. Two devices that register at the same time may exceed the limit by one. */
function requireWithinLimit({ config }: Context, count: number): void {
  const limit = config.maxPushTokensPerUser;
  if (count > limit) failTooMany({ property: 'push_tokens', limit, scope: 'of a user' });
}
