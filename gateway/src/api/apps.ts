import { parseAppSettings } from '@parley/domain/parse/app-settings';
import { UserDirectory } from '@parley/proto/parley/identity/v1/app_pb';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from './request/route.ts';
import type { Uses } from './context.ts';

const DIRECTORIES = {
  everyone: UserDirectory.EVERYONE,
  shared: UserDirectory.SHARED,
  nobody: UserDirectory.NOBODY,
} as const;

export async function updateApp(
  { identity, auth }: Uses<'auth' | 'identity'>,
  { appId, body }: ApiRequest,
): Promise<HttpResponse> {
  const { publicIdentityFields: names, userDirectory, ...settings } = parseAppSettings(body);
  await identity.updateAppSettings({
    appId,
    ...settings,
    ...(names && { publicIdentityFields: { names } }),
    ...(userDirectory && { userDirectory: DIRECTORIES[userDirectory] }),
  });
  await auth.learnRevocations();
  return { status: 202 };
}
