import fc from 'fast-check';
import { createTestClock } from './index.ts';
import { createFollowedClock, isNear, MOST_OFF_MS } from './followed-clock.ts';

const DAY_MS = 86_400_000;

test('before a reading it is the clock of the machine', () => {
  const machine = createTestClock(5_000);
  const clock = createFollowedClock(machine);
  machine.set(9_000);
  expect([clock.now(), clock.machineAheadMs(), isNear(clock)]).toEqual([9_000, 0, true]);
});

test('a machine that is 40 days ahead shows the time of the server, and is not near', () => {
  const machine = createTestClock(1_000_000);
  const clock = createFollowedClock(machine);
  machine.set(1_000_000 + 40 * DAY_MS);
  const askedAt = clock.elapsed();
  machine.advance(10);
  clock.learn({ theirs: 2_000, askedAt, answeredAt: clock.elapsed() });
  machine.advance(500);
  expect(clock.now()).toBeGreaterThanOrEqual(2_500);
  expect(clock.now()).toBeLessThanOrEqual(2_510);
  expect(isNear(clock)).toBe(false);
});

test('a clock that is set later moves neither the time nor what has elapsed', () => {
  const machine = createTestClock(1_000);
  const clock = createFollowedClock(machine);
  clock.learn({ theirs: 1_000, askedAt: clock.elapsed(), answeredAt: clock.elapsed() });
  const began = clock.elapsed();
  machine.set(-3_600_000);
  expect([clock.now(), clock.elapsed() - began]).toEqual([1_000, 0]);
  expect(isNear(clock)).toBe(false);
  machine.set(1_000 + MOST_OFF_MS);
  expect(isNear(clock)).toBe(true);
});

test('any readings of a true server keep the error within the longest wait of the last reading', () => {
  const reading = fc.record({
    passes: fc.integer({ min: 0, max: 60_000 }),
    there: fc.integer({ min: 0, max: 2_000 }),
    back: fc.integer({ min: 0, max: 2_000 }),
    setTo: fc.option(fc.integer({ min: -DAY_MS, max: DAY_MS })),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: -DAY_MS, max: DAY_MS }),
      fc.array(reading, { minLength: 1 }),
      (truth, readings) => {
        const machine = createTestClock(0);
        const clock = createFollowedClock(machine);
        for (const { passes, there, back, setTo } of readings) {
          machine.advance(passes);
          if (setTo !== null) machine.set(setTo);
          const askedAt = clock.elapsed();
          machine.advance(there);
          const theirs = machine.elapsed() + truth;
          machine.advance(back);
          clock.learn({ theirs, askedAt, answeredAt: clock.elapsed() });
          expect(Math.abs(clock.now() - (machine.elapsed() + truth))).toBeLessThanOrEqual(there + back + 1);
        }
      },
    ),
  );
});
