import { parseAppSettings } from '@parley/domain/parse/app-settings';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from './request/route.ts';
import type { Uses } from './context.ts';

export async function updateApp(
  { identity, auth }: Uses<'auth' | 'identity'>,
  { appId, body }: ApiRequest,
): Promise<HttpResponse> {
  const { publicIdentityFields: names, ...settings } = parseAppSettings(body);
  await identity.updateAppSettings({ appId, ...settings, ...(names && { publicIdentityFields: { names } }) });
  await auth.learnRevocations();
  return { status: 202 };
}
