import { withoutStack } from '@parley/codec/without-stack';

/** Whether a text needs no encoding: it has only unreserved characters. */
const PLAIN = /^[A-Za-z0-9_.*-]*$/;

/** Encodes like encodeURIComponent, plus `! ~ ' ( )`. Never throws: half a surrogate pair becomes U+FFFD. docs/protocol/requests.md#ids */
export function percentEncode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/[!~'()]/g, escapeAscii);
}

function escapeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Undefined for an incomplete escape, or one that is not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return withoutStack(() => decodeURIComponent(text));
  } catch {
    return undefined;
  }
}
