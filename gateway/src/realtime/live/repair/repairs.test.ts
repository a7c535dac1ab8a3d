import { createTestClock } from '@parley/kit/runtime/clock';
import { createRepairs } from './repairs.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clock = createTestClock(0);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const repairs = createRepairs({ failed, setTimer: clock.setTimer, random: () => 0 });
  return { clock, failures, repairs };
}

test('a repair that fails is tried again, with growing delays, and does not delay the rest', async () => {
  const { clock, failures, repairs } = start();
  const runs: string[] = [];
  const repair = (name: string, fails: () => boolean) => ({
    isWanted: () => true,
    async run() {
      runs.push(name);
      if (fails()) throw new Error(name);
    },
  });
  let left = 2;
  repairs.add('a', repair('a', () => left-- > 0)); // prettier-ignore
  repairs.add('b', repair('b', () => false)); // prettier-ignore
  await settled();
  expect(runs).toEqual(['a', 'b']);
  clock.advance(250);
  await settled();
  expect(runs).toEqual(['a', 'b', 'a']);
  clock.advance(499);
  await settled();
  expect(runs).toHaveLength(3);
  clock.advance(1);
  await settled();
  expect(runs).toEqual(['a', 'b', 'a', 'a']);
  clock.advance(60_000);
  await settled();
  expect(runs).toHaveLength(4);
  expect(failures).toHaveLength(2);
});

test('a repair is not tried again once its sockets have closed', async () => {
  const { clock, repairs } = start();
  let isWanted = true;
  let runs = 0;
  repairs.add('a', {
    isWanted: () => isWanted,
    run: () => (runs++, Promise.reject(new Error('no'))),
  });
  await settled();
  isWanted = false;
  clock.advance(60_000);
  await settled();
  expect(runs).toBe(1);
});

test('a few repairs run at once, and one that has not begun serves for a later one of its key', async () => {
  const { repairs } = start();
  const finish: (() => void)[] = [];
  const blocked = {
    isWanted: () => true,
    run: () => new Promise<void>((resolve) => void finish.push(resolve)),
  };
  for (let i = 0; i < 20; i++) repairs.add(`key ${i}`, blocked);
  for (let i = 0; i < 20; i++) repairs.add(`key ${i}`, blocked);
  let most = 0;
  for (let done = 0; done < finish.length; done++) {
    most = Math.max(most, finish.length - done);
    finish[done]!();
    await settled();
  }
  expect(most).toBe(8);
  // Eight were running when they were requested a second time.
  expect(finish).toHaveLength(28);
});
