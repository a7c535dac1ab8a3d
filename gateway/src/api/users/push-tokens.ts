import { parsePushToken } from '@parley/domain/parse/push-token';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function registerPushToken(
  { pushTokens }: Uses<'pushTokens'>,
  { appId, userId, incarnation, tokenId, view, body }: ApiRequest,
): Promise<HttpResponse> {
  const session = {
    ...(incarnation !== undefined && { userIncarnation: incarnation }),
    // A server's registration does not end with a session.
    sessionId: view.audience === 'client' ? tokenId : '',
  };
  await pushTokens.registerPushToken({ appId, userId, ...session, token: parsePushToken(body) });
  return { status: 202 };
}

export async function deletePushToken(
  { pushTokens }: Uses<'pushTokens'>,
  { appId, userId, params }: ApiRequest,
): Promise<HttpResponse> {
  await pushTokens.deletePushToken({ appId, userId, deviceId: params['device_id'] ?? '' });
  return { status: 202 };
}

/** docs/protocol/users.md#devices */
export async function getPushKey({ pushes }: Uses<'pushes'>, { appId }: ApiRequest): Promise<HttpResponse> {
  const { publicKey } = await pushes.getPushKey({ appId });
  return { status: 200, body: { public_key: publicKey } };
}
