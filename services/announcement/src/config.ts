import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, type ConfigOf } from '@parley/kit/runtime/config/settings';

export const settings = {
  ...serviceSettings,
  identityAddress: sharedSettings.identityAddress,
  liveShards: sharedSettings.liveShards,
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  return readSettings(settings, source);
}
