import { bool, int, secret, secrets } from '@parley/kit/runtime/config/env';
import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { parsePorts, parseRanges } from '@parley/outbound/settings';

export const settings = {
  ...serviceSettings,
  poolSize: { ...serviceSettings.poolSize, validator: int({ min: 4, max: 500 })({ default: 10 }) },
  messagingAddress: sharedSettings.messagingAddress,
  publicUrl: sharedSettings.publicUrl,
  contentUrl: sharedSettings.contentUrl,
  contentSecret: sharedSettings.contentSecret,
  wireName: sharedSettings.wireName,
  encryptionKey: setting(
    'PARLEY_WEBHOOK_ENCRYPTION_KEY',
    secret(),
    'Encrypts the secrets of webhooks in the database. The same in all replicas.',
  ),
  acceptedEncryptionKeys: setting(
    'PARLEY_WEBHOOK_ACCEPTED_ENCRYPTION_KEYS',
    secrets({ default: [] }),
    'Values besides `PARLEY_WEBHOOK_ENCRYPTION_KEY` that secrets may be encrypted with while it is [rotated](operations.md#rotate-a-secret).',
  ),
  allowHttp: setting(
    'PARLEY_WEBHOOK_ALLOW_HTTP',
    bool({ default: false }),
    'Targets may have `http://` addresses.',
  ),
  allowedRanges: setting(
    'PARLEY_WEBHOOK_ALLOWED_CIDRS',
    parseRanges({ default: [] }),
    'Networks that targets may be in although they are not public, at any port.',
  ),
  allowedPorts: setting(
    'PARLEY_WEBHOOK_ALLOWED_PORTS',
    parsePorts({ default: [] }),
    'Ports of public targets besides 443, and 80 where `http://` is allowed.',
  ),
  maxWebhooksPerApp: setting(
    'PARLEY_MAX_WEBHOOKS_PER_APP',
    int({ min: 1, max: 100_000 })({ default: 100 }),
    'Webhooks of one application.',
  ),
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  return readSettings(settings, source);
}
