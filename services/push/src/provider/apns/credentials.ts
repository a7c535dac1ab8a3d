import { createPrivateKey } from 'node:crypto';
import { fail } from '@parley/domain/problems';

/** A key for authentication tokens of an Apple developer team, and the bundle id that pushes are for. */
export type ApnsCredentials = { privateKey: string; keyId: string; teamId: string; topic: string };

/** Problems: missing_property, invalid_property. */
export function parseApnsCredentials(given: ApnsCredentials): ApnsCredentials {
  const { privateKey, keyId, teamId, topic } = given;
  if (!isP256Key(require(privateKey, 'private_key')))
    refuse('private_key', 'must be a P-256 private key in PEM.');
  if (!/^[A-Z0-9]{10}$/.test(require(keyId, 'key_id'))) refuse('key_id', 'must have 10 letters and digits.');
  if (!/^[A-Z0-9]{10}$/.test(require(teamId, 'team_id')))
    refuse('team_id', 'must have 10 letters and digits.');
  if (!isTopic(require(topic, 'topic'))) refuse('topic', 'must be a bundle id.');
  return { privateKey, keyId, teamId, topic };
}

/** A bundle id, as far as a header may hold it. */
export function isTopic(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9.-]{1,155}$/.test(text);
}

function require(value: string, property: string): string {
  return value === '' ? fail('missing_property', { property, message: `${property} is required.` }) : value;
}

function refuse(property: string, rule: string): never {
  return fail('invalid_property', { property, message: `${property} ${rule}` });
}

function isP256Key(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
