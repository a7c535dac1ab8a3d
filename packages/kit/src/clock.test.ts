import { createTestClock, systemClock } from './clock.ts';

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
