import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import { MIME_TYPE } from '@parley/contract/patterns';
import { countCharacters } from './user-id.ts';

/** Together with the length check, equivalent to the contract's pattern, which takes longer to match. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
// eslint-disable-next-line parley/linear-regexp -- its test is that of the schemas, scripts/lint/expressions.alone.test.ts
const MIME_TYPE_PATTERN = new RegExp(MIME_TYPE);

/** Standard base64 with padding and without line breaks; the empty text is valid. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** `type/subtype`, with or without parameters. */
export function isMimeType(text: string): boolean {
  return countCharacters(text) <= limits.mimeType && MIME_TYPE_PATTERN.test(text) && text.isWellFormed();
}

/** Whether a text has at most `bytes` bytes of UTF-8; they are only counted if the number of characters leaves it open. */
export function fitsBytes(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes;
}

/** Upper bound of a part's size beyond its texts: ids, times, the names of fields. Bytes. */
const PART_BYTES = 150;
const LARGEST_PART = PART_BYTES + limits.maxInlineBodyBytes + (limits.mimeType + limits.filename) * 4;

/** Whether parts together fit into a message; they are only measured if their number leaves it open. */
export function fitsMessage(parts: readonly Part[], maxBytes: number = limits.messageBytes): boolean {
  if (parts.length * LARGEST_PART <= maxBytes) return true;
  let bytes = 0;
  for (const { body = '', mimeType, filename = '' } of parts) {
    bytes += PART_BYTES + Buffer.byteLength(body) + Buffer.byteLength(mimeType) + Buffer.byteLength(filename);
  }
  return bytes <= maxBytes;
}
