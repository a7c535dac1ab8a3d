import { withoutStack } from '@parley/codec/without-stack';
import { limits } from '@parley/contract/limits';
import { fail } from '../problems.ts';
import { findJsonFault } from './json-fault.ts';
import { placeIn } from './text-place.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * The value of an untrusted JSON text. Fails with invalid_request when the text is not JSON or exceeds the depth limit, so that code that
 * later walks the value (a stringify, a hash, a schema) may recurse. `data` contains the position.
 */
export function parseJson(text: string): unknown {
  requireJsonDepth(text);
  try {
    return withoutStack(() => JSON.parse(text) as unknown);
  } catch {
    return refuseText(text);
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** A text with a fault has already been parsed up to the fault: finding its position costs about as much again. */
function refuseText(text: string): never {
  const fault = findJsonFault(text);
  const place = placeIn(text, fault);
  const where = `at line ${place.line}, column ${place.column}`;
  const reason = fault === text.length ? 'it ends too early' : 'unexpected character';
  const message = text.startsWith(BYTE_ORDER_MARK)
    ? 'The request is not JSON: it begins with a byte order mark.'
    : `The request is not JSON: ${reason} ${where}.`;
  return fail('invalid_request', { message, data: place });
}

/** Fails with invalid_request when a JSON text exceeds the depth limit. */
export function requireJsonDepth(text: string): void {
  const at = findExcessiveDepth(text);
  if (at === undefined) return;
  const place = placeIn(text, at);
  fail('invalid_request', {
    message: `The JSON is nested deeper than ${limits.jsonDepth} levels, at line ${place.line}, column ${place.column}.`,
    data: { limit: limits.jsonDepth, ...place },
  });
}

/** Whether arrays and objects of a JSON text are nested deeper than `limits.jsonDepth`. */
export function exceedsJsonDepth(text: string): boolean {
  return findExcessiveDepth(text) !== undefined;
}

/**
 * Index of the first bracket of a JSON text that is nested deeper than `limits.jsonDepth`. One pass without recursion; brackets
 * within strings do not count. Accepts any text, and is exact for JSON.
 */
function findExcessiveDepth(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      if (depth > limits.jsonDepth) return at;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
  }
  return undefined;
}

/** Index of the quote that ends the string which begins at `start`; -1 if it is unterminated. */
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
