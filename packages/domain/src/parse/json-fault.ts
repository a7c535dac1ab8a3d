/** Tokens that may come next; `end` is the end of the innermost array or object. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LOWER_A = 0x61;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_U = 0x75;
const UPPER_A = 0x41;
const UPPER_E = 0x45;
const UPPER_F = 0x46;

const WORDS = ['true', 'false', 'null'];
const ESCAPED = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/**
 * Index of the first character that cannot continue the text as JSON; the text's length if it only ends too early. One pass without
 * recursion, for texts of any size and depth. For texts that JSON.parse refuses, since its errors do not always contain the position. A
 * text is untrusted and may have a million tokens, so nothing is allocated per token.
 */
export function findJsonFault(text: string): number {
  const closers: number[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const closer = closers[closers.length - 1];
    if (closer === undefined && expected === 'comma or end') return at;
    const code = text.charCodeAt(at);
    if (code === closer && mayEnd(expected)) {
      closers.pop();
      expected = 'comma or end';
      at += 1;
    } else if (isOpening(code) && mayBeValue(expected)) {
      closers.push(code === OPENING_BRACE ? CLOSING_BRACE : CLOSING_BRACKET);
      expected = code === OPENING_BRACE ? 'key or end' : 'value or end';
      at += 1;
    } else {
      const end = endOfToken(text, at, expected);
      if (end < 0) return faultOf(end);
      expected = after(expected, closer);
      at = end;
    }
  }
}

/** A negative number that represents a fault, in functions that search for an end. */
function faultAt(at: number): number {
  return -1 - at;
}

function faultOf(end: number): number {
  return -1 - end;
}

function mayEnd(expected: Expected): boolean {
  return expected === 'comma or end' || expected === 'value or end' || expected === 'key or end';
}

function mayBeValue(expected: Expected): boolean {
  return expected === 'value' || expected === 'value or end';
}

function isOpening(code: number): boolean {
  return code === OPENING_BRACE || code === OPENING_BRACKET;
}

/** Tokens that may follow a token other than a bracket. */
function after(expected: Expected, closer: number | undefined): Expected {
  if (expected === 'colon') return 'value';
  if (expected === 'comma or end') return closer === CLOSING_BRACE ? 'key' : 'value';
  return mayBeValue(expected) ? 'comma or end' : 'colon';
}

function endOfToken(text: string, at: number, expected: Expected): number {
  if (mayBeValue(expected)) return endOfScalar(text, at);
  if (expected === 'colon') return endOfCode(text, at, COLON);
  return expected === 'comma or end' ? endOfCode(text, at, COMMA) : endOfString(text, at);
}

function endOfCode(text: string, at: number, code: number): number {
  return text.charCodeAt(at) === code ? at + 1 : faultAt(at);
}

function endOfScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return endOfString(text, at);
  if (code === MINUS || isDigit(code)) return endOfNumber(text, at);
  for (const word of WORDS) {
    if (word.charCodeAt(0) === code) return endOfWord(text, at, word);
  }
  return faultAt(at);
}

function endOfWord(text: string, start: number, word: string): number {
  for (let index = 1; index < word.length; index += 1) {
    if (text.charCodeAt(start + index) !== word.charCodeAt(index)) return faultAt(start + index);
  }
  return start + word.length;
}

function endOfNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : endOfDigits(text, at);
  if (at >= 0 && text.charCodeAt(at) === POINT) at = endOfDigits(text, at + 1);
  if (at < 0) return at;
  const code = text.charCodeAt(at);
  if (code !== LOWER_E && code !== UPPER_E) return at;
  const sign = text.charCodeAt(at + 1);
  return endOfDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

/** At least one digit is required. */
function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at > start ? at : faultAt(at);
}

function endOfString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return faultAt(start);
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // Control characters must be escaped.
    if (code < SPACE) return faultAt(at);
    at += 1;
    if (code === QUOTE) return at;
    if (code !== BACKSLASH) continue;
    at = endOfEscape(text, at);
    if (at < 0) return at;
  }
  return faultAt(at);
}

/** Index of the end of an escape, after its backslash. */
function endOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== LOWER_U) return ESCAPED.has(code) ? at + 1 : faultAt(at);
  for (let digit = at + 1; digit <= at + 4; digit += 1) {
    if (!isHexDigit(text.charCodeAt(digit))) return faultAt(digit);
  }
  return at + 5;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= LOWER_A && code <= LOWER_F) || (code >= UPPER_A && code <= UPPER_F);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}
