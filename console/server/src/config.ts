import { addressLimitSettings } from '@parley/http/limits/settings';
import { listenPort } from '@parley/kit/runtime/config/env';
import { callerSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { consoleOrigin } from './console-origin.ts';
import { consoleSettings, consoleUrlSetting } from './settings.ts';

/** Settings of the console's server as a process of its own. */
export const settings = {
  ...callerSettings,
  ...consoleSettings,
  consoleUrl: consoleUrlSetting,
  consolePort: { ...consoleSettings.consolePort, validator: listenPort({ default: 8082 }) },
  publicUrl: sharedSettings.publicUrl,
  contentUrl: sharedSettings.contentUrl,
  wireName: sharedSettings.wireName,
  identityAddress: sharedSettings.identityAddress,
  messagingAddress: sharedSettings.messagingAddress,
  contentAddress: sharedSettings.contentAddress,
  pushAddress: sharedSettings.pushAddress,
  limits: addressLimitSettings,
  slowRequestMs: sharedSettings.slowRequestMs,
  requestLogShare: sharedSettings.requestLogShare,
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const read = readSettings(settings, source);
  return Object.freeze({ ...read, consoleUrl: consoleOrigin(read) });
}
