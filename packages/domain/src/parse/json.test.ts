import fc from 'fast-check';
import { limits } from '@parley/contract/limits';
import { problemOf } from '../problems.ts';
import { exceedsJsonDepth, parseJson } from './json.ts';

const MOST = limits.jsonDepth;

const arrays = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

function refusalOf(text: string): string | undefined {
  try {
    parseJson(text);
  } catch (error) {
    return problemOf(error)?.id;
  }
  return undefined;
}

/** Depth of a value, computed without recursion, as in the checked function. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth += 1) {
    const containers = level.filter((one) => typeof one === 'object' && one !== null);
    if (containers.length === 0) return depth;
    level = containers.flatMap((one) => Object.values(one as object) as unknown[]);
  }
}

test.each([
  ['arrays', arrays],
  ['objects', objects],
])('%s may be nested to the limit and not beyond', (_, nest) => {
  expect(depthOf(parseJson(nest(MOST)))).toBe(MOST);
  expect(refusalOf(nest(MOST + 1))).toBe('invalid_request');
});

test.each([[20_000], [500_000]])('%d levels are refused, closed or not', (levels) => {
  for (const text of [arrays(levels), objects(levels), '['.repeat(levels), '{"a":'.repeat(levels)]) {
    expect(refusalOf(text)).toBe('invalid_request');
  }
});

test('levels are counted at their deepest, wherever that is', () => {
  expect(exceedsJsonDepth(`[1, {"a": ${arrays(MOST - 2)}}, ${arrays(MOST - 1)}]`)).toBe(false);
  expect(exceedsJsonDepth(`[1, {"a": ${arrays(MOST - 1)}}, 2]`)).toBe(true);
  expect(exceedsJsonDepth(`[${Array(1_000).fill('[]').join(',')}]`)).toBe(false);
});

test.each([
  ['brackets', '['.repeat(1_000)],
  ['a quote before brackets', `"${'['.repeat(1_000)}`],
  ['a backslash at the end', `${'{'.repeat(1_000)}\\`],
  ['a backslash and a quote', `\\"${'['.repeat(1_000)}`],
  ['nothing but backslashes', '\\'.repeat(1_001)],
])('a string with %s has no depth', (_, text) => {
  expect(parseJson(JSON.stringify([text, { [text]: 1 }]))).toEqual([text, { [text]: 1 }]);
});

test('brackets after a string count again', () => {
  expect(exceedsJsonDepth(`["\\\\", ${arrays(MOST)}]`)).toBe(true);
});

test('says of every JSON text whether it is too deep', () => {
  const value = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 80 }), fc.string());
  fc.assert(
    fc.property(value, ([inner, levels, key]) => {
      const name = JSON.stringify(key);
      const text = `${`[{${name}:`.repeat(levels / 2)}${JSON.stringify(inner)}${'}]'.repeat(levels / 2)}`;
      expect(exceedsJsonDepth(text)).toBe(depthOf(JSON.parse(text)) > MOST);
    }),
  );
});

test.each([[''], ['{'], ['"'], ['"\\'], [']]]]'], ['nonsense'], ['[1,]']])('%j is not JSON', (text) => {
  expect(refusalOf(text)).toBe('invalid_request');
});

function placeOf(text: string) {
  try {
    parseJson(text);
  } catch (error) {
    const { message, data } = problemOf(error) ?? {};
    return { message, ...data };
  }
  return undefined;
}

test.each([
  [
    '{\n  "a": 1,\n}',
    { line: 3, column: 1, message: 'The request is not JSON: unexpected character at line 3, column 1.' },
  ],
  [
    '{"a":"é😀" x',
    { line: 1, column: 12, message: 'The request is not JSON: unexpected character at line 1, column 12.' },
  ],
  [
    '[1,\n',
    { line: 2, column: 1, message: 'The request is not JSON: it ends too early at line 2, column 1.' },
  ],
  ['\ufeff{}', { line: 1, column: 1, message: 'The request is not JSON: it begins with a byte order mark.' }],
])('says where %j ceases to be JSON', (text, expected) => {
  expect(placeOf(text)).toEqual(expected);
});

test('says where JSON becomes too deep, and what the limit is', () => {
  expect(placeOf(`[\n${arrays(MOST)}]`)).toEqual({
    limit: MOST,
    line: 2,
    column: MOST,
    message: `The JSON is nested deeper than ${MOST} levels, at line 2, column ${MOST}.`,
  });
});
