import { createPublicKey, type KeyObject } from 'node:crypto';
import { limits } from '@parley/contract/limits';

/** The key of a PEM, SPKI or PKCS#1; undefined unless it is an RSA public key of 2048 to `maxBits` bits. */
export function readRsaPublicKey(pem: string, maxBits: number): KeyObject | undefined {
  const key = readPem(pem);
  const { modulusLength = 0, publicExponent = 0n } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType !== 'rsa' || publicExponent < 3n) return undefined;
  return modulusLength >= limits.minRsaBits && modulusLength <= maxBits ? key : undefined;
}

// createPublicKey would also accept a private key, which its owner must not hand over.
function readPem(pem: string): KeyObject | undefined {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
