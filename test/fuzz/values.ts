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
  ],
  '01990000-0000-7000-8000-000000000000',
];

/** Text that is likely to be mistaken for something else. */
export const bentText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: lengths.map((length) => 'x'.repeat(length)) },
);

const BENT: readonly JsonText[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '1e999', '-1e999', '1e21', '5e-324'],
  ...[
    '9007199254740991',
    '9007199254740993',
    '2147483648',
    '8640000000000001',
    '123456789012345678901234567890',
  ],
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

/** A JSON value of any wrong kind. */
export const bentJson: Arbitrary<JsonText> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...UNCONVERTIBLE) },
  { weight: 8, arbitrary: fc.constantFrom(...BENT) },
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

const MARK = '\u0001bent\u0001';

/** JSON of a value of which one member, somewhere, may be replaced, removed or added. */
export function bend(template: unknown): Arbitrary<JsonText> {
  const whole = JSON.stringify(template);
  const place = fc.nat(countPlaces(template) - 1);
  const replaced = fc
    .tuple(place, bentJson)
    .map(([at, text]) =>
      JSON.stringify(withMember(template, at, MARK)).replace(JSON.stringify(MARK), () => text),
    );
  const removed = place.map((at) => JSON.stringify(withMember(template, at, undefined)) ?? 'null');
  const added = fc
    .tuple(bentText, bentJson)
    .map(([name, text]) => whole.replace(/^\{/, () => `{${JSON.stringify(name)}:${text},`));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(whole) },
    { weight: 8, arbitrary: replaced },
    { weight: 2, arbitrary: removed },
    { weight: 1, arbitrary: added },
  );
}

/** The value itself counts as one. */
function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countPlaces(member), 1);
}

/** A copy with another value at one place; places are numbered from the root downwards. */
function withMember(value: unknown, place: number, member: unknown): unknown {
  if (place === 0) return member;
  if (typeof value !== 'object' || value === null) return value;
  let first = 1;
  const copied = Object.entries(value).map(([name, old]): [string, unknown] => {
    const at = place - first;
    const count = countPlaces(old);
    first += count;
    return [name, at >= 0 && at < count ? withMember(old, at, member) : old];
  });
  return Array.isArray(value) ? copied.map(([, one]) => one) : Object.fromEntries(copied);
}
