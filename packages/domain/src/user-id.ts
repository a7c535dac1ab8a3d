import { limits } from '@parley/contract/limits';

/** 1 to 256 characters, any Unicode but control characters. docs/protocol/requests.md#user-ids */
export function isUserId(text: string): boolean {
  if (text.length === 0 || text.length > 2 * limits.userId) return false;
  if (hasControlCharacter(text) || !text.isWellFormed()) return false;
  return countCharacters(text) <= limits.userId;
}

/** Of a well-formed text: code points. */
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
