import { isUuid } from '@parley/domain/ids';
import { fail, failTooMany } from '@parley/domain/problems';
import { knownPushHost } from '@parley/domain/push-hosts';
import type { Tx } from '@parley/kit/postgres';
import type {
  RegisterPushTokenRequest,
  RegisterPushTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { shareIncarnation } from '../sql/identity.ts';
import {
  countPushTokens,
  deleteOtherRegistrations,
  lockPushToken,
  upsertPushToken,
  type PushToken,
} from '../sql/push-token.ts';
import { shareSession } from '../sql/session.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/**
 * A push token belongs to the user and the device that registered it last: whoever shows a token has the device that it stands for, which
 * must get no more pushes of the user before. Pushes that wait for that user's device find it unregistered. The user is locked against erasure and the session
 * against its end, so that no token is stored after either. docs/protocol/users.md#devices
 * Problems: authentication_required, missing_property, invalid_property, invalid_operation.
 */
export async function registerPushToken(
  ctx: Context,
  request: RegisterPushTokenRequest,
): RpcResponse<typeof RegisterPushTokenResponseSchema> {
  const { appId, userId, token } = request;
  if (!token) return fail('missing_property', { property: 'token' });
  requireKnownHost(ctx, token);
  const registered = {
    deviceId: token.deviceId,
    type: token.type,
    token: token.token,
    details: token.details ?? {},
    updatedAt: ctx.clock.now(),
    sessionId: request.sessionId || undefined,
  };
  await ctx.db.tx(async (tx) => {
    await requireSession(tx, request);
    const before = await countPushTokens(tx, { appId, userId });
    await lockPushToken(tx, appId, registered);
    await deleteOtherRegistrations(tx, { appId, userId }, registered);
    await upsertPushToken(tx, { appId, userId }, registered);
    const count = await countPushTokens(tx, { appId, userId });
    if (count > before) requireWithinLimit(ctx, count);
  });
  return {};
}

/** Problems: invalid_property if a browser's endpoint is not of a push service that pushes are sent to. */
function requireKnownHost({ config }: Context, { type, token }: Pick<PushToken, 'type' | 'token'>): void {
  if (type === 'web' && knownPushHost(config.pushWebHosts, token) === undefined)
    fail('invalid_property', {
      property: 'token',
      message: 'token must be an address of a known push service.',
    });
}

/** Problems: authentication_required if the session ended because its user was deleted or erased. */
async function requireSession(tx: Tx, request: RegisterPushTokenRequest): Promise<void> {
  const incarnation = await shareIncarnation(tx, request);
  if (incarnation === undefined) fail('authentication_required');
  if ((request.userIncarnation ?? incarnation) !== incarnation) fail('authentication_required');
  const { appId, userId, sessionId } = request;
  if (sessionId === '') return;
  if (!isUuid(sessionId) || !(await shareSession(tx, { appId, userId, id: sessionId })))
    fail('authentication_required');
}

/** Problems: invalid_operation. Two devices that register at the same time may exceed the limit by one. */
function requireWithinLimit({ config }: Context, count: number): void {
  const limit = config.maxPushTokensPerUser;
  if (count > limit) failTooMany({ property: 'push_tokens', limit, scope: 'of a user' });
}
