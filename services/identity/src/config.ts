import { int, secret, secrets } from '@parley/kit/runtime/config/env';
import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { checkJournal, journalSettings } from './journal/settings.ts';

export const settings = {
  ...serviceSettings,
  nonceSecret: setting(
    'PARLEY_NONCE_SECRET',
    secret(),
    'Signs the nonces of logins. The same in all replicas.',
  ),
  acceptedNonceSecrets: setting(
    'PARLEY_NONCE_ACCEPTED_SECRETS',
    secrets({ default: [] }),
    'Values besides `PARLEY_NONCE_SECRET` whose nonces are taken while it is [rotated](operations.md#rotate-a-secret).',
  ),
  wireName: sharedSettings.wireName,
  liveShards: sharedSettings.liveShards,
  cells: sharedSettings.cells,
  pushWebHosts: sharedSettings.pushWebHosts,
  journal: journalSettings,
  auditDays: setting(
    'PARLEY_AUDIT_DAYS',
    int({ min: 1, max: 36_500 })({ default: 36_500 }),
    'Days for which entries of the [audit log](console.md#the-audit-log) are kept.',
  ),
  maxBlocksPerUser: setting(
    'PARLEY_MAX_BLOCKS_PER_USER',
    int({ min: 1, max: 1_000_000 })({ default: 5_000 }),
    'Users whom one user may block.',
  ),
  maxKeyBytesPerApp: setting(
    'PARLEY_MAX_IDEMPOTENCY_BYTES_PER_APP',
    int({ min: 100_000, max: Number.MAX_SAFE_INTEGER })({ default: 8_589_934_592 }),
    'Bytes of the keys and answers of one application that are [recorded for a day](protocol/requests.md#repeating-a-request), about. Beyond half of them large answers are rendered again, beyond all of them requests with new keys are 429.',
  ),
  maxPushTokensPerUser: setting(
    'PARLEY_MAX_PUSH_TOKENS_PER_USER',
    int({ min: 1, max: 100_000 })({ default: 100 }),
    'Devices of one user that notifications are sent to.',
  ),
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const config = readSettings(settings, source);
  checkJournal(config.journal);
  return config;
}
