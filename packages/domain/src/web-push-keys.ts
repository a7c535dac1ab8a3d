import { ECDH } from 'node:crypto';

/** Uncompressed: its first byte is 4. */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** Whether a text is a point of P-256, uncompressed, as base64url. A point that is not on the curve is none (RFC 8291). */
export function isCurvePoint(text: string): boolean {
  const bytes = decode(text);
  if (bytes?.length !== POINT_BYTES || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1', undefined, undefined, 'uncompressed');
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is the 16 bytes of a subscription's secret, as base64url. */
export function isAuthSecret(text: string): boolean {
  return decode(text)?.length === AUTH_BYTES;
}

/** Undefined if the text is not base64url, with or without padding. */
function decode(text: string): Buffer | undefined {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
