/** What may come next; `end` is that of the innermost array or object. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

type Cursor = { readonly text: string; at: number };

const WORDS = ['true', 'false', 'null'];
const ESCAPED = '"\\/bfnrt';
const HEX_DIGIT = /^[0-9a-fA-F]$/;

/**
 * Index of the first character that cannot continue the text as JSON; the text's length if it only ends too early. One pass
 * without recursion, for texts of any size and depth. For texts that JSON.parse refuses: it does not say where in each case.
 */
export function findJsonFault(text: string): number {
  const cursor: Cursor = { text, at: 0 };
  const closers: string[] = [];
  let expected: Expected | undefined = 'value';
  while (expected) {
    skipSpace(cursor);
    if (expected === 'comma or end' && closers.length === 0) return cursor.at;
    expected = readNext(cursor, closers, expected);
  }
  return cursor.at;
}

/** Reads one token and says what may follow; undefined: the cursor is at the fault. */
function readNext(cursor: Cursor, closers: string[], expected: Expected): Expected | undefined {
  const closer = closers.at(-1);
  if (expected.endsWith('or end') && closer !== undefined && take(cursor, closer)) {
    closers.pop();
    return 'comma or end';
  }
  switch (expected) {
    case 'colon':
      return take(cursor, ':') ? 'value' : undefined;
    case 'comma or end':
      if (!take(cursor, ',')) return undefined;
      return closer === '}' ? 'key' : 'value';
    case 'key':
    case 'key or end':
      return readString(cursor) ? 'colon' : undefined;
    default:
      return readValue(cursor, closers);
  }
}

function readValue(cursor: Cursor, closers: string[]): Expected | undefined {
  if (take(cursor, '{')) {
    closers.push('}');
    return 'key or end';
  }
  if (take(cursor, '[')) {
    closers.push(']');
    return 'value or end';
  }
  return readScalar(cursor) ? 'comma or end' : undefined;
}

function readScalar(cursor: Cursor): boolean {
  const first = cursor.text.charAt(cursor.at);
  if (first === '"') return readString(cursor);
  const word = WORDS.find((one) => one.startsWith(first) && first !== '');
  return word === undefined ? readNumber(cursor) : [...word].every((letter) => take(cursor, letter));
}

function readNumber(cursor: Cursor): boolean {
  take(cursor, '-');
  if (!take(cursor, '0') && !skipDigits(cursor)) return false;
  if (take(cursor, '.') && !skipDigits(cursor)) return false;
  if (!take(cursor, 'e') && !take(cursor, 'E')) return true;
  if (!take(cursor, '+')) take(cursor, '-');
  return skipDigits(cursor);
}

function readString(cursor: Cursor): boolean {
  const { text } = cursor;
  if (!take(cursor, '"')) return false;
  while (cursor.at < text.length) {
    if (take(cursor, '"')) return true;
    if (take(cursor, '\\')) {
      if (!readEscape(cursor)) return false;
    } else {
      // Control characters have to be escaped.
      if (text.charCodeAt(cursor.at) < 0x20) return false;
      cursor.at += 1;
    }
  }
  return false;
}

function readEscape(cursor: Cursor): boolean {
  if (take(cursor, 'u')) {
    for (let digits = 0; digits < 4; digits += 1) {
      if (!HEX_DIGIT.test(cursor.text.charAt(cursor.at))) return false;
      cursor.at += 1;
    }
    return true;
  }
  const character = cursor.text.charAt(cursor.at);
  if (character === '' || !ESCAPED.includes(character)) return false;
  cursor.at += 1;
  return true;
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text.charAt(cursor.at) !== character) return false;
  cursor.at += 1;
  return true;
}

/** Whether there was any. */
function skipDigits(cursor: Cursor): boolean {
  const start = cursor.at;
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (!(code >= 0x30 && code <= 0x39)) return cursor.at > start;
    cursor.at += 1;
  }
}

function skipSpace(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && ' \t\n\r'.includes(cursor.text.charAt(cursor.at))) cursor.at += 1;
}
