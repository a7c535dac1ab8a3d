import type { Handler, Route } from './route.ts';
import { parseSettings } from './settings.ts';

type Settings = { session_ttl_in_seconds: number; inline_body_bytes: number };

const updateApp: Handler = async ({ identity, auth }, { appId, body }) => {
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
};

/** Its bounds are the owner's to check. */
function finiteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export const apps: Route[] = [
  {
    method: 'PATCH',
    path: '/apps/:app_uuid',
    auth: 'bearer',
    summary: 'Change settings of the app',
    handle: updateApp,
  },
];
