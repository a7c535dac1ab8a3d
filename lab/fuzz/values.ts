import fc, { type Arbitrary } from 'fast-check';

/** JSON text: what no value of JavaScript stringifies to, such as 1e999 or 20,000 levels, is among it. */
export type JsonText = string;

const nested = (opening: string, closing: string) => (levels: number) =>
  `${opening.repeat(levels)}1${closing.repeat(levels)}`;

// 20,000 levels more often: they exhaust the stack of code that recurses.
const levels = fc.constantFrom(2, 23, 24, 25, 63, 64, 65, 101, 1_000, 20_000, 20_000, 20_000);
const lengths = fc.constantFrom(33, 128, 129, 257, 1_025, 2_049, 5_000, 70_000);

const WORDS = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'prototype'],
  ...['', ' ', 'null', 'undefined', 'true', 'NaN', '-1', '0', '1', '1e9', '9'.repeat(40), '9'.repeat(400)],
  ...['.', '..', '/', '\\', '\\.', 'a.b', '.a', 'a..b', "'", '"', ';', ',', '%', '%00', '%zz', '\0', 'a\0b'],
  ...['\n', '\r\n', '\u202e', 'é', '💥', '\ud800', 'x\udc00', '\uffff', '\u2028'],
  ...[
    'svc:///',
    'svc:///messages/x',
    'svc:///identities/%',
    'svc:///identities/%ff',
    'https://[::1',
    'data:,x',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '+275760-09-14T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '2026-01-01T00:00:00.123456789Z',
    '-271821-04-20T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
  ],
  ...['Infinity', '-Infinity', '1e308', '-1e15', '9223372036854775808'],
  '01990000-0000-7000-8000-000000000000',
];

/** Numbers at the ends of what a calculation, a column or a time can hold, and beyond. */
const NUMBERS: readonly JsonText[] = [
  ...['0', '-0', '-1', '1', '1.5', '5e-324', '1e21', '1e308', '-1e308', '1e999', '-1e999'],
  ...['2147483648', '9007199254740991', '9007199254740993', '9223372036854775808', '18446744073709551616'],
  // The latest time of a Date and the next one, and times that Date has and Postgres has not.
  ...['8640000000000000', '8640000000000001', '-8640000000000000', '-1000000000000000'],
  '123456789012345678901234567890',
];

/** Texts that the JSON form of protocol buffers takes as numbers. */
const NUMERIC_TEXTS: readonly JsonText[] = ['"NaN"', '"Infinity"', '"-Infinity"', '"1e308"', '"-1e15"'];

/** Cursors and ids that are not what they look like. */
const KEYS = [
  ...['["x"]', '["x","y"]', '["x","y","NaN"]', '[1,2]', '["\\u0000","\\u0000"]', '["\\ud800","\\ud800"]'],
  ...['journal/../../x', 'journal/\0', '9'.repeat(36), '-'.repeat(36)],
];

/** Text that is likely to be mistaken for something else. */
export const bentText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS, ...KEYS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: lengths.map((length) => 'x'.repeat(length)) },
);

const BENT: readonly JsonText[] = [
  ...['null', 'true', 'false'],
  ...['[]', '{}', '[[]]', '[null]', '[{}]', '[1]', '[""]', '{"":""}', '{"a":null}', '{"length":1e9}'],
  ...['{"toString":1}', '{"toJSON":1}', '{"valueOf":null}', '{"then":1}', '{"constructor":{"prototype":1}}'],
  ...[
    '{"__proto__":{"a":1}}',
    '{"__proto__":null}',
    '{"id":{"toString":1}}',
    '{"\\ud800":1}',
    '{"\\u0000":"x"}',
  ],
];

/** Objects that throw when code takes them for a text or a number. */
const UNCONVERTIBLE: readonly JsonText[] = [
  '{"toString":1}',
  '{"toString":null,"valueOf":null}',
  '[{"toString":1}]',
  '{"toString":{"toString":1}}',
];

const bentNumber = fc.constantFrom(...NUMBERS, ...NUMERIC_TEXTS);

/** A JSON value of any wrong kind. */
export const bentJson: Arbitrary<JsonText> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...UNCONVERTIBLE) },
  { weight: 5, arbitrary: fc.constantFrom(...BENT) },
  { weight: 4, arbitrary: bentNumber },
  { weight: 5, arbitrary: bentText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 2,
    arbitrary: fc.oneof(levels.map(nested('[', ']')), levels.map(nested('{"a":', '}'))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1_001, 5_001).map((count) => `[${Array(count).fill('"x"').join()}]`),
  },
);

/** A JSON value in the place of another one: mostly of its kind, so that it comes further than the check of the kind. */
export function bentFor(usual: unknown): Arbitrary<JsonText> {
  if (typeof usual === 'number') return fc.oneof(bentNumber, bentJson);
  if (typeof usual === 'string')
    return fc.oneof(
      bentText.map((text) => JSON.stringify(text)),
      bentJson,
    );
  return bentJson;
}

/** Each known value that may be wrong in the place of a number or a text; none for other kinds. */
export function wrongValuesFor(usual: unknown): readonly JsonText[] {
  if (typeof usual === 'number') return [...NUMBERS, ...NUMERIC_TEXTS];
  if (typeof usual !== 'string') return [];
  const long = 'x'.repeat(70_000);
  return [...WORDS, ...KEYS, long].map((text) => JSON.stringify(text));
}
