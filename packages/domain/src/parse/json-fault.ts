/** What may come next; `end` is that of the innermost array or object. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

type Cursor = { readonly text: string; at: number };

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
const LOWER_E = 0x65;
const UPPER_E = 0x45;

const WORDS = ['true', 'false', 'null'];
const ESCAPED = '"\\/bfnrt';
const HEX_DIGIT = /^[0-9a-fA-F]$/;

/**
 * Index of the first character that cannot continue the text as JSON; the text's length if it only ends too early. One pass
 * without recursion, for texts of any size and depth. For texts that JSON.parse refuses: it does not say where in each case.
 */
export function findJsonFault(text: string): number {
  const cursor: Cursor = { text, at: 0 };
  const closers: number[] = [];
  let expected: Expected | undefined = 'value';
  while (expected) {
    skipSpace(cursor);
    if (expected === 'comma or end' && closers.length === 0) return cursor.at;
    expected = readNext(cursor, closers, expected);
  }
  return cursor.at;
}

/** Reads one token and says what may follow; undefined: the cursor is at the fault. */
function readNext(cursor: Cursor, closers: number[], expected: Expected): Expected | undefined {
  const closer = closers[closers.length - 1];
  if (closer !== undefined && mayEnd(expected) && take(cursor, closer)) {
    closers.pop();
    return 'comma or end';
  }
  switch (expected) {
    case 'colon':
      return take(cursor, COLON) ? 'value' : undefined;
    case 'comma or end':
      if (!take(cursor, COMMA)) return undefined;
      return closer === CLOSING_BRACE ? 'key' : 'value';
    case 'key':
    case 'key or end':
      return readString(cursor) ? 'colon' : undefined;
    default:
      return readValue(cursor, closers);
  }
}

function mayEnd(expected: Expected): boolean {
  return expected === 'comma or end' || expected === 'value or end' || expected === 'key or end';
}

function readValue(cursor: Cursor, closers: number[]): Expected | undefined {
  if (take(cursor, OPENING_BRACE)) {
    closers.push(CLOSING_BRACE);
    return 'key or end';
  }
  if (take(cursor, OPENING_BRACKET)) {
    closers.push(CLOSING_BRACKET);
    return 'value or end';
  }
  return readScalar(cursor) ? 'comma or end' : undefined;
}

function readScalar(cursor: Cursor): boolean {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === QUOTE) return readString(cursor);
  if (code === MINUS || isDigit(code)) return readNumber(cursor);
  const word = WORDS.find((one) => one.charCodeAt(0) === code);
  if (word === undefined) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (!take(cursor, word.charCodeAt(index))) return false;
  }
  return true;
}

function readNumber(cursor: Cursor): boolean {
  take(cursor, MINUS);
  if (!take(cursor, ZERO) && !skipDigits(cursor)) return false;
  if (take(cursor, POINT) && !skipDigits(cursor)) return false;
  if (!take(cursor, LOWER_E) && !take(cursor, UPPER_E)) return true;
  if (!take(cursor, PLUS)) take(cursor, MINUS);
  return skipDigits(cursor);
}

function readString(cursor: Cursor): boolean {
  const { text } = cursor;
  if (!take(cursor, QUOTE)) return false;
  while (cursor.at < text.length) {
    const code = text.charCodeAt(cursor.at);
    // Control characters have to be escaped.
    if (code < SPACE) return false;
    cursor.at += 1;
    if (code === QUOTE) return true;
    if (code === BACKSLASH && !readEscape(cursor)) return false;
  }
  return false;
}

function readEscape(cursor: Cursor): boolean {
  const character = cursor.text.charAt(cursor.at);
  if (character === 'u') {
    cursor.at += 1;
    for (let digits = 0; digits < 4; digits += 1) {
      if (!HEX_DIGIT.test(cursor.text.charAt(cursor.at))) return false;
      cursor.at += 1;
    }
    return true;
  }
  if (character === '' || !ESCAPED.includes(character)) return false;
  cursor.at += 1;
  return true;
}

function take(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at += 1;
  return true;
}

/** Whether there was any. */
function skipDigits(cursor: Cursor): boolean {
  const start = cursor.at;
  while (isDigit(cursor.text.charCodeAt(cursor.at))) cursor.at += 1;
  return cursor.at > start;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.at))) cursor.at += 1;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}
