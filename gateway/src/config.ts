import { consoleOrigin } from '@parley/console-server/console-origin';
import { consoleSettings, consoleUrlSetting } from '@parley/console-server/settings';
import { baseUrl, bool, listenPort } from '@parley/kit/runtime/config/env';
import { processSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { limitSettings } from './admission/limits/settings.ts';
import { apiSettings } from './api/settings.ts';
import { realtimeSettings } from './realtime/settings.ts';
import { upstreamSettings } from './upstream/settings.ts';

const ownSettings = {
  ...processSettings,
  ...upstreamSettings,
  ...apiSettings,
  ...realtimeSettings,
  httpPort: setting('PARLEY_HTTP_PORT', listenPort({ default: 8080 }), 'Port of REST and WebSocket.'),
  publicUrl: {
    ...sharedSettings.publicUrl,
    validator: baseUrl({ default: undefined }),
  },
  wireName: sharedSettings.wireName,
  limits: limitSettings,
  slowRequestMs: sharedSettings.slowRequestMs,
  requestLogShare: sharedSettings.requestLogShare,
  consoleUrl: consoleUrlSetting,
  servesConsole: setting(
    'PARLEY_CONSOLE_SERVER',
    bool({ default: true }),
    'Whether the gateway serves the console, the administration API and the documentation too. `false`: a [process of their own](../deploy/README.md#the-consoles-server-apart) does, and the gateway answers 404 there.',
  ),
};

/** Settings of the console's server where the gateway serves it too. */
const mountedSettings = {
  ...consoleSettings,
  onPublicPort: setting(
    'PARLEY_ADMINISTRATION_ON_PUBLIC_PORT',
    bool({ default: false }),
    'Whether `PARLEY_HTTP_PORT` serves the administration API too, and the console to browsers of this machine. For laptops.',
  ),
};

export const settings = { ...ownSettings, console: mountedSettings };

/** `console` undefined: another process serves it. `allowedOrigins` undefined: every origin is allowed. */
export type Config = Omit<ConfigOf<typeof ownSettings>, 'publicUrl' | 'allowedOrigins'> &
  Readonly<{
    publicUrl: string;
    allowedOrigins: readonly string[] | undefined;
    console: ConfigOf<typeof mountedSettings> | undefined;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const read = servesConsole(source)
    ? readSettings(settings, source)
    : { ...readSettings(ownSettings, source), console: undefined };
  const publicUrl = read.publicUrl ?? `http://localhost:${read.httpPort}`;
  const consoleUrl = consoleOrigin({ consoleUrl: read.consoleUrl, publicUrl });
  const { allowedOrigins } = read;
  // The console's pages call the server API of the public address.
  const origins = consoleUrl === undefined ? allowedOrigins : [...allowedOrigins, consoleUrl];
  return Object.freeze({
    ...read,
    publicUrl,
    consoleUrl,
    allowedOrigins: allowedOrigins.includes('*') ? undefined : origins,
  });
}

/** Whether the gateway also serves the console. True if the variable is invalid, so that reading all settings reports it. */
function servesConsole(source: Record<string, string | undefined>): boolean {
  try {
    return readSettings({ servesConsole: ownSettings.servesConsole }, source).servesConsole;
  } catch {
    return true;
  }
}
