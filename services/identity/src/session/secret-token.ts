import { createHash, randomBytes } from 'node:crypto';

/** Generates a bearer token for its owner, and the hash that is stored. */
export function newSecretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
