import { createTestClock } from '../../runtime/clock/index.ts';
import fc from 'fast-check';
import { createBuckets } from './buckets.ts';

const start = 1_700_000_000_000;

test('a burst is granted at once, and then as much as flows in', () => {
  const clock = createTestClock(start);
  const buckets = createBuckets({ perSecond: 10, burst: 5 }, clock);
  expect(Array.from({ length: 6 }, () => buckets.take('a'))).toEqual([0, 0, 0, 0, 0, 0.1]);
  clock.advance(99);
  expect(buckets.take('a')).toBeCloseTo(0.001);
  clock.advance(1);
  expect(buckets.take('a')).toBe(0);
  expect(buckets.take('a')).toBeCloseTo(0.1);
});

test('each key has a bucket of its own, that is never fuller than a burst', () => {
  const clock = createTestClock(start);
  const buckets = createBuckets({ perSecond: 100, burst: 2 }, clock);
  expect([buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([0, 0, 0]);
  clock.advance(3_600_000);
  expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 0]);
  expect(buckets.take('a')).toBeGreaterThan(0);
});

test('whether a bucket has a token can be asked without taking it', () => {
  const clock = createTestClock(start);
  const buckets = createBuckets({ perSecond: 10, burst: 1 }, clock);
  expect([buckets.wait('a'), buckets.wait('a'), buckets.take('a')]).toEqual([0, 0, 0]);
  expect(buckets.wait('a')).toBeCloseTo(0.1);
  clock.advance(100);
  expect([buckets.wait('a'), buckets.take('a')]).toEqual([0, 0]);
});

test('a caller never gets more than a burst and the rate, and is admitted after the announced wait', () => {
  const rate = { perSecond: 7, burst: 13 };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }), (pauses) => {
      const clock = createTestClock(start);
      const buckets = createBuckets(rate, clock);
      let granted = 0;
      for (const pause of pauses) {
        clock.advance(pause);
        const wait = buckets.take('a');
        if (wait === 0) granted += 1;
        const elapsed = (clock.now() - start) / 1000;
        expect(granted).toBeLessThanOrEqual(rate.burst + elapsed * rate.perSecond + 1e-6);
        if (wait === 0) continue;
        clock.advance(Math.ceil(wait * 1000) + 1);
        expect(buckets.take('a')).toBe(0);
        granted += 1;
      }
    }),
  );
});

test('a charge may leave a debt of at most a burst, which refills before the next request is granted', () => {
  const clock = createTestClock(start);
  const buckets = createBuckets({ perSecond: 10, burst: 5 }, clock);
  expect(buckets.take('a')).toBe(0);
  buckets.charge('a', 7);
  expect(buckets.take('a')).toBeCloseTo(0.4);
  clock.advance(400);
  expect(buckets.take('a')).toBe(0);
  buckets.charge('a', 1_000);
  expect(buckets.take('a')).toBeCloseTo(0.6);
});
