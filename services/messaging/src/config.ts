import { int } from '@parley/kit/runtime/config/env';
import { poolSize, serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

export const settings = {
  ...serviceSettings,
  poolSize: { ...serviceSettings.poolSize, validator: poolSize({ default: 16 }) },
  sendPoolSize: setting(
    'PARLEY_SEND_POOL_SIZE',
    poolSize({ default: 8 }),
    'Database connections that only sends and receipts use, beside those of everything else.',
  ),
  identityAddress: sharedSettings.identityAddress,
  liveShards: sharedSettings.liveShards,
  cells: sharedSettings.cells,
  maxParticipants: setting(
    'PARLEY_MAX_PARTICIPANTS',
    int({ min: 1, max: 100_000 })({ default: 250 }),
    'Participants of one conversation.',
  ),
  maxScheduledMessages: setting(
    'PARLEY_MAX_SCHEDULED_MESSAGES',
    int({ min: 1, max: 1_000_000 })({ default: 1_000 }),
    'Scheduled messages that wait in one conversation.',
  ),
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  return readSettings(settings, source);
}
