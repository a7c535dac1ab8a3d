import { readArguments } from './arguments.ts';

test('all parts run with 100,000 messages and a minute without the coordinator, unless something else is said', () => {
  expect(readArguments(['--bin', '/pg'])).toEqual({
    bin: '/pg',
    messages: 100_000,
    awayMs: 60_000,
    parts: ['moves', 'restore', 'failover'],
  });
  expect(
    readArguments(['--bin', '/pg', '--messages', '5', '--away', '2', '--only', 'restore']),
  ).toMatchObject({ messages: 5, awayMs: 2_000, parts: ['restore'] });
});

test('a missing folder and a part that there is not are refused', () => {
  expect(() => readArguments([])).toThrow('--bin');
  expect(() => readArguments(['--bin', '/pg', '--only', 'all'])).toThrow('--only is one of moves');
});
