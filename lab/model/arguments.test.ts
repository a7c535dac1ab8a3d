import { readArguments } from './arguments.ts';

const COMMIT = 'b1d7813213a0d6a594a57c73f8a23f98a564efb2';

test.each([
  ['100 7', { count: 100, seed: 7, beside: undefined }],
  [`-- 100 7 --beside ${COMMIT}`, { count: 100, seed: 7, beside: COMMIT }],
])('the arguments %j are read', (given, expected) => {
  expect(readArguments(given.split(' '))).toEqual(expected);
});

test('without arguments 5,000 scenarios follow from a seed of the moment', () => {
  expect(readArguments([])).toEqual({ count: 5000, seed: expect.any(Number) as number, beside: undefined });
});

test.each([
  ['many', 'scenarios: a whole number'],
  ['0', 'scenarios: a whole number'],
  ['100 3000000000', 'seed: a whole number'],
  ['100 --beside main', '--beside is the full hash of a commit'],
  ['--days 1', "Unknown option '--days'"],
])('the arguments %j are refused', (given, message) => {
  expect(() => readArguments(given.split(' '))).toThrow(message);
});
