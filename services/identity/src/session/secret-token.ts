import { createHash, randomBytes } from 'node:crypto';

/** A new bearer token, shown to its owner alone, and what is stored of it. */
export function newSecretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
