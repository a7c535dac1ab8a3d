import fc from 'fast-check';
import { findJsonFault } from './json-fault.ts';

test.each([
  ['', 0],
  ['  ', 2],
  ['{', 1],
  ['{"a":1', 6],
  ['{"a":1,}', 7],
  ['{"a":1 "b":2}', 7],
  ["{'a':1}", 1],
  ['{a:1}', 1],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['[]]', 2],
  ['{"a"}', 4],
  ['{"a":}', 5],
  ['[1}', 2],
  ['{}x', 2],
  ['nonsense', 1],
  ['tru', 3],
  ['truE', 3],
  ['nul l', 3],
  ['NaN', 0],
  ['01', 1],
  ['-', 1],
  ['-x', 1],
  ['1.', 2],
  ['1.e5', 2],
  ['1e', 2],
  ['1e+', 3],
  ['+1', 0],
  ['.5', 0],
  ['"', 1],
  ['"a', 2],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['"\\', 2],
  ['"a\nb"', 2],
  ['\ufeff{}', 0],
  ['\u00a01', 0],
  [']', 0],
  ['// x\n1', 0],
])('the fault of %j is at %d', (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(findJsonFault(text)).toBe(at);
});

/** The position of the fault as stated by the runtime, which does not always state one. */
function positionOf(text: string): number | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = / at position (\d+)/.exec((error as Error).message)?.[1];
    return position === undefined ? undefined : Number(position);
  }
  return undefined;
}

test('agrees with the runtime about texts with one wrong character', () => {
  const cases = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]":,\\ \n\u0000x0-e.u'));
  let compared = 0;
  fc.assert(
    fc.property(cases, ([json, where, character]) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + character + json.slice(at + 1);
      const position = positionOf(text);
      if (position === undefined) return;
      compared += 1;
      expect(findJsonFault(text)).toBe(position);
    }),
    { numRuns: 2_000 },
  );
  expect(compared).toBeGreaterThan(100);
});

test('all of a JSON text is valid, and so is its beginning', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, length) => {
      const start = json.slice(0, length % (json.length + 1));
      expect(findJsonFault(json)).toBe(json.length);
      expect(findJsonFault(start)).toBe(start.length);
    }),
  );
});

test.each([
  ['one line', `[${'1,'.repeat(500_000)}]`, 1_000_001],
  ['one string', `"${'a'.repeat(1_000_000)}`, 1_000_001],
  ['one number', `${'1'.repeat(1_000_000)}x`, 1_000_000],
  ['spaces', ' '.repeat(1_000_000), 1_000_000],
  ['levels', '['.repeat(1_000_000), 1_000_000],
  ['escapes', `"${'\\"'.repeat(500_000)}`, 1_000_001],
  ['escapes of characters', `"${'\\u0041'.repeat(174_000)}"x`, 1_044_002],
])('a megabyte of %s is read once', (_, text, at) => {
  expect(findJsonFault(text)).toBe(at);
});
