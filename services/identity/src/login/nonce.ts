import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// docs/protocol/authentication.md#nonces. The bytes of a nonce are the time of issue in milliseconds (6), randomness (16)
// and a MAC of both (20): 56 characters of base64url, which URL decoding does not change. Issuing a nonce writes nothing.

export const NONCE_LIFETIME_MS = 600_000;

const TIME_BYTES = 6;
const CONTENT_BYTES = TIME_BYTES + 16;
const MAC_BYTES = 20;
const TOTAL_BYTES = CONTENT_BYTES + MAC_BYTES;

/** The record of a used nonce. */
export type NonceUse = { hash: Buffer; expiresAt: number };

export function issueNonce(secret: string, now: number): string {
  const content = Buffer.alloc(CONTENT_BYTES, randomBytes(CONTENT_BYTES));
  content.writeUIntBE(now, 0, TIME_BYTES);
  return Buffer.concat([content, macOf(secret, content)]).toString('base64url');
}

/** Undefined for an expired nonce, or one that was not issued with one of these secrets. */
export function readNonce(secrets: readonly string[], nonce: string, now: number): NonceUse | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  if (bytes.length !== TOTAL_BYTES || bytes.toString('base64url') !== nonce) return undefined;
  const content = bytes.subarray(0, CONTENT_BYTES);
  const mac = bytes.subarray(CONTENT_BYTES);
  if (!secrets.some((secret) => timingSafeEqual(macOf(secret, content), mac))) return undefined;
  const expiresAt = content.readUIntBE(0, TIME_BYTES) + NONCE_LIFETIME_MS;
  if (now >= expiresAt) return undefined;
  return { hash: createHash('sha256').update(bytes).digest(), expiresAt };
}

function macOf(secret: string, content: Buffer): Buffer {
  return createHmac('sha256', secret).update('nonce').update(content).digest().subarray(0, MAC_BYTES);
}
