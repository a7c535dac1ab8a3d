import { limits } from '@parley/contract/limits';
import { URI_WORD } from '@parley/contract/patterns';

// eslint-disable-next-line parley/linear-regexp -- its test is that of the schemas, scripts/lint/expressions.alone.test.ts
const startOfUri = new RegExp(`^${URI_WORD}:///`, 'u');

/** Whether a text is `.` or `..`, which mean a folder in URLs. */
export function isDotSegment(text: string): boolean {
  return text === '.' || text === '..';
}

/** Whether a text begins like the URI of a record: a word and `:///`. */
export function startsLikeUri(text: string): boolean {
  return text.includes(':///') && startOfUri.test(text);
}

/** Whether a new user may get this id. Users of earlier releases may have other ids. docs/protocol/requests.md#user-ids */
export function isNewUserId(text: string): boolean {
  return isUserId(text) && !isDotSegment(text) && !startsLikeUri(text);
}

/** Whether a user may have this id: 1 to 256 characters, any Unicode except control characters. docs/protocol/requests.md#user-ids */
export function isUserId(text: string): boolean {
  if (text.length === 0 || text.length > 2 * limits.userId) return false;
  if (hasControlCharacter(text) || !text.isWellFormed()) return false;
  return countCharacters(text) <= limits.userId;
}

/** The number of code points of a well-formed text. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}

/** Unicode's category Cc. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}
