import { parseSettings } from './request/settings.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { ApiRequest } from './request/route.ts';
import type { GatewayContext } from '../context.ts';

type Settings = { session_ttl_in_seconds: number; inline_body_bytes: number };

export async function updateApp(
  { identity, auth }: GatewayContext,
  { appId, body }: ApiRequest,
): Promise<HttpResponse> {
  const settings = parseSettings<Settings>(body, {
    session_ttl_in_seconds: finiteNumber,
    inline_body_bytes: finiteNumber,
  });
  await identity.updateAppSettings({
    appId,
    sessionTtlInSeconds: settings.session_ttl_in_seconds,
    inlineBodyBytes: settings.inline_body_bytes,
  });
  await auth.learnRevocations();
  return { status: 202 };
}

/** Identity checks the bounds. */
function finiteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
