import { limits } from '@parley/contract/limits';
import { fail } from '../problems.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * The value of a JSON text that comes from outside. Fails with invalid_request when the text is not JSON or exceeds the
 * depth limit, so that code that walks the value later (a stringify, a hash, a schema) may recurse.
 */
export function parseJson(text: string): unknown {
  requireJsonDepth(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fail('invalid_request', { message: 'The request is not JSON.' });
  }
}

/** Fails with invalid_request when a JSON text exceeds the depth limit. */
export function requireJsonDepth(text: string): void {
  if (exceedsJsonDepth(text)) {
    fail('invalid_request', { message: `The JSON is nested deeper than ${limits.jsonDepth} levels.` });
  }
}

/**
 * Whether arrays and objects of a JSON text are nested deeper than `limits.jsonDepth`. One pass without recursion; brackets
 * within strings do not count. Accepts any text, and is exact for JSON.
 */
export function exceedsJsonDepth(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      if (depth > limits.jsonDepth) return true;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
  }
  return false;
}

/** Index of the quote that ends the string which begins at `start`; -1 when nothing ends it. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

/** An odd number of backslashes before a quote makes it part of the string. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 0;
}
