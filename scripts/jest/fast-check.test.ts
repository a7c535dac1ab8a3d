import fc from 'fast-check';
import original from '../../node_modules/fast-check/lib/fast-check.js';

const CONSTRAINTS = { unit: 'binary', maxLength: 30 } as const;

test('strings of any characters are those of fast-check', () => {
  const sample = { seed: 7, numRuns: 2_000 };
  const strings = fc.sample(fc.string(CONSTRAINTS), sample);
  expect(strings).toEqual(original.sample(original.string(CONSTRAINTS), sample));
});

test('a string of any characters that fails is shrunk as by fast-check', () => {
  const isNarrow = (text: string): boolean => !/[\u{ffff}-\u{10ffff}]/u.test(text);
  const shrunk = (strings: fc.Arbitrary<string>) => fc.check(fc.property(strings, isNarrow), { seed: 7 });
  const { counterexample } = shrunk(fc.string(CONSTRAINTS));
  expect(counterexample).toHaveLength(1);
  expect(counterexample).toEqual(shrunk(original.string(CONSTRAINTS)).counterexample);
});
