import { createTestClock } from '@parley/kit/runtime/clock';
import { createRefusalCounter } from './refusal-counter.ts';

const rate = { perSecond: 1, burst: 2 };

test('refusals of a caller have a rate at each door', () => {
  const clock = createTestClock(0);
  const refusals = createRefusalCounter({ rate, factor: 1, clock });
  const count = (door: 'http' | 'socket', caller: string) => refusals.count(door, caller);
  expect([count('http', 'a'), count('http', 'a'), count('http', 'a')]).toEqual([true, true, false]);
  expect([count('socket', 'a'), count('http', 'b')]).toEqual([true, true]);
  expect([count('socket', 'a'), count('socket', 'a')]).toEqual([true, false]);
  clock.advance(1_000);
  expect([count('http', 'a'), count('http', 'a')]).toEqual([true, false]);
});
