import { readArguments } from './arguments.ts';
import { FAULT_KINDS, faultsOf } from './kinds.ts';

test.each<[string, Omit<ReturnType<typeof readArguments>, 'only'>]>([
  ['', { faults: 100, minutes: 10_080, seed: 1, mix: false }],
  ['-- --faults 600 --seed 7', { faults: 600, minutes: 10_080, seed: 7, mix: false }],
  ['--minutes 60 --seed 7', { faults: 12_000, minutes: 60, seed: 7, mix: false }],
  ['--faults 600 --minutes 60', { faults: 600, minutes: 60, seed: 1, mix: false }],
  ['--mix --faults 60', { faults: 60, minutes: 10_080, seed: 1, mix: true }],
])('the arguments %j are read', (given, expected) => {
  expect(readArguments(given.split(' ').filter(Boolean))).toEqual({ only: FAULT_KINDS, ...expected });
});

test.each([
  ['--minutes 0', '--minutes is a whole number from 1 to 10080, not 0'],
  ['--minutes 1.5', '--minutes is a whole number'],
  ['--faults many', '--faults is a whole number'],
  ['--seed 3000000000', '--seed is a whole number'],
  ['--only fill --only flood', '--only is one of end, swallow'],
  ['--hours 1', "Unknown option '--hours'"],
])('the arguments %j are refused', (given, message) => {
  expect(() => readArguments(given.split(' '))).toThrow(message);
});

test('a campaign can be of some kinds of faults alone', () => {
  const { only } = readArguments(['--only', 'fill', '--only', 'reset']);
  expect(only).toEqual(['fill', 'reset']);
  expect(new Set(faultsOf(7, 100, only).map(({ kind }) => kind))).toEqual(new Set(only));
});

test('a campaign by time begins with the faults of a campaign by number of the same seed', () => {
  const { faults, seed } = readArguments(['--minutes', '60', '--seed', '7']);
  expect(faultsOf(seed, faults).slice(0, 600)).toEqual(faultsOf(seed, 600));
});
