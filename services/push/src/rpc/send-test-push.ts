import { create } from '@parley/codec';
import { parseIdentityRef } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { PushContentSchema } from '@parley/proto/parley/push/v1/push_pb';
import type {
  SendTestPushRequest,
  SendTestPushResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import type { Outcome } from '../provider/outcome.ts';
import { requireAppId } from './app-id.ts';
import { withinCall } from './within.ts';
import type { RpcContext } from './rpc-context.ts';

const TTL_SECONDS = 60;

/** Sends at once, without a delivery. Problems: not_found. */
export async function sendTestPush(
  ctx: RpcContext,
  { appUuid, userId: user, deviceId, title, text }: SendTestPushRequest,
): RpcResponse<typeof SendTestPushResponseSchema> {
  const appId = requireAppId(appUuid);
  const userId = parseIdentityRef(ctx.wire, user) ?? failNotFound('identity', user);
  const { targets } = await ctx.pushTokens.listPushTargets({ appId, userIds: [userId] });
  const token = targets[0]?.tokens.find((one) => one.deviceId === deviceId);
  if (!token) return failNotFound('identity', userId);
  const notification = { title: title || 'Test', text: text || 'This is a test.' };
  const content = create(PushContentSchema, { token, notification });
  const push = { appId, token, content, badge: 0, identity: ctx.newId(), ttl: TTL_SECONDS };
  const outcome = await withinCall<Outcome>(ctx.sender.send(push), {
    kind: 'failed',
    reason: 'no answer within 4 s',
  });
  return { outcome: outcome.kind, reason: outcome.kind === 'delivered' ? '' : outcome.reason };
}
