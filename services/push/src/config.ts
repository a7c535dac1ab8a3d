import { accepting, baseUrl, int, secret, secrets } from '@parley/kit/runtime/config/env';
import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { parsePorts, parseRanges } from '@parley/outbound/settings';

/** Parses the `sub` of a VAPID token (RFC 8292). */
const parseContact = accepting<string>('`mailto:` with an address, or an `https://` address', (input) => {
  if (/^mailto:[^@\s]+@[^@\s]+$/.test(input) || URL.parse(input)?.protocol === 'https:') return input;
  throw new Error(input);
});

export const settings = {
  ...serviceSettings,
  poolSize: { ...serviceSettings.poolSize, validator: int({ min: 4, max: 500 })({ default: 10 }) },
  identityAddress: sharedSettings.identityAddress,
  messagingAddress: sharedSettings.messagingAddress,
  wireName: sharedSettings.wireName,
  encryptionKey: setting(
    'PARLEY_PUSH_ENCRYPTION_KEY',
    secret(),
    'Encrypts the keys of applications in the database. The same in all replicas.',
  ),
  acceptedEncryptionKeys: setting(
    'PARLEY_PUSH_ACCEPTED_ENCRYPTION_KEYS',
    secrets({ default: [] }),
    'Values besides `PARLEY_PUSH_ENCRYPTION_KEY` that keys of applications may be encrypted with while it is [rotated](operations.md#rotate-a-secret).',
  ),
  contact: setting(
    'PARLEY_PUSH_CONTACT',
    parseContact(),
    'Whom the push services of browsers can reach about the pushes: `mailto:` with an address, or an `https://` address.',
  ),
  webHosts: sharedSettings.pushWebHosts,
  fcmUrl: setting(
    'PARLEY_PUSH_FCM_URL',
    baseUrl({ default: 'https://fcm.googleapis.com' }),
    'Firebase Cloud Messaging.',
  ),
  googleTokenUrl: setting(
    'PARLEY_PUSH_GOOGLE_TOKEN_URL',
    baseUrl({ default: 'https://oauth2.googleapis.com/token' }),
    'Where service accounts get access tokens.',
  ),
  apnsUrl: setting(
    'PARLEY_PUSH_APNS_URL',
    baseUrl({ default: 'https://api.push.apple.com' }),
    "Apple's push service.",
  ),
  apnsSandboxUrl: setting(
    'PARLEY_PUSH_APNS_SANDBOX_URL',
    baseUrl({ default: 'https://api.sandbox.push.apple.com' }),
    "Apple's push service for applications in development.",
  ),
  allowedRanges: setting(
    'PARLEY_PUSH_ALLOWED_CIDRS',
    parseRanges({ default: [] }),
    'Networks that push services may be in although they are not public, at any port.',
  ),
  allowedPorts: setting(
    'PARLEY_PUSH_ALLOWED_PORTS',
    parsePorts({ default: [] }),
    'Ports of public push services besides 443.',
  ),
};

export type Config = ConfigOf<typeof settings>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  return readSettings(settings, source);
}
