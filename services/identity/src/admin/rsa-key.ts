import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { limits } from '@parley/contract/limits';
import { fail } from '@parley/domain/problems';
import { readRsaPublicKey } from '@parley/domain/rsa-public-key';

const MAX_BITS = 8192;

/**
 * Reads a public key in PEM and returns it as SPKI. Fails with invalid_property unless it is RSA of 2048 to 8192
 * bits.
 */
export function parsePublicKey(pem: string): string {
  const key = readRsaPublicKey(pem, MAX_BITS);
  if (!key) {
    return fail('invalid_property', {
      property: 'public_key',
      message: `public_key must be the PEM of an RSA public key of ${limits.minRsaBits} to ${MAX_BITS} bits.`,
    });
  }
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** Generates a key pair in PEM: SPKI and PKCS#8. */
export async function makeKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: limits.minRsaBits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
