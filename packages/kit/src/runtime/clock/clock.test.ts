import { createTestClock, startInterval, startTimeout, systemClock } from './index.ts';
import { currentContext, runInContext } from '../request-context.ts';

test('timers fire in order, each at its own time', () => {
  const clock = createTestClock(1_000);
  const fired: [string, number][] = [];
  clock.setTimer(20, () => fired.push(['b', clock.now()]));
  clock.setTimer(10, () => {
    fired.push(['a', clock.now()]);
    clock.setTimer(5, () => fired.push(['nested', clock.now()]));
  });
  const cancel = clock.setTimer(12, () => fired.push(['cancelled', clock.now()]));
  cancel();
  clock.advance(19);
  expect(fired).toEqual([
    ['a', 1_010],
    ['nested', 1_015],
  ]);
  clock.advance(1);
  expect(fired).toHaveLength(3);
  expect(clock.now()).toBe(1_020);
});

test('the system clock fires, unless cancelled or far away', async () => {
  const fired: string[] = [];
  systemClock.setTimer(0, () => fired.push('cancelled'))();
  const far = systemClock.setTimer(2 ** 40, () => fired.push('far'));
  await new Promise<void>((resolve) => void systemClock.setTimer(5, resolve));
  far();
  expect(fired).toEqual([]);
});

describe('a timer that is set within a request fires outside of it', () => {
  const request = { requestId: 'r', deadline: 1 };

  test.each([
    ['the system clock', (fn: () => void) => systemClock.setTimer(1, fn)],
    ['a timeout', (fn: () => void) => startTimeout(1, fn)],
    ['an interval', (fn: () => void) => startInterval(1, fn)],
  ])('%s', async (_, set) => {
    let cancel = (): void => undefined;
    const seen = await new Promise((resolve) => {
      cancel = runInContext(request, () => set(() => resolve(currentContext())));
    });
    cancel();
    expect(seen).toBeUndefined();
  });

  test('the test clock', () => {
    const clock = createTestClock(0);
    const seen: unknown[] = [];
    runInContext(request, () => {
      clock.setTimer(1, () => seen.push(currentContext()));
      clock.advance(1);
    });
    expect(seen).toEqual([undefined]);
  });
});
