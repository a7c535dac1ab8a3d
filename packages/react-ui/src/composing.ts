import type { KeyboardEvent } from 'react';

/** Code of keys that an input method takes. */
const TAKEN = 229;

/** Whether a key belongs to an input method, with which characters such as those of Japanese are composed. */
export function isComposing({ nativeEvent: { isComposing: isUnderWay, keyCode } }: KeyboardEvent): boolean {
  // In Safari the key that ends the composition comes after its end.
  return isUnderWay || keyCode === TAKEN;
}
