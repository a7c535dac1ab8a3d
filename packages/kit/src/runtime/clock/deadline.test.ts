import { setTimeout as delay } from 'node:timers/promises';
import { currentContext, runInContext } from '../request-context.ts';
import { startDeadline } from './deadline.ts';

/** Resolves with the names of the deadlines that have passed, in order, once `last` has. */
function passed(limits: Record<string, number>, last: string, lifted: readonly string[] = []) {
  const names: string[] = [];
  return new Promise<string[]>((resolve) => {
    for (const [name, ms] of Object.entries(limits)) {
      const lift = startDeadline(ms, () => {
        names.push(name);
        if (name === last) resolve(names);
      });
      if (lifted.includes(name)) lift();
    }
  });
}

test('deadlines pass in the order of their ends, also when a shorter one comes later', async () => {
  expect(await passed({ third: 60, first: 5, second: 30 }, 'third')).toEqual(['first', 'second', 'third']);
});

test('a deadline that is lifted never passes, and those behind it do', async () => {
  expect(await passed({ lifted: 5, next: 20 }, 'next', ['lifted'])).toEqual(['next']);
});

test('a deadline does not pass early', async () => {
  const began = performance.now();
  await passed({ only: 25 }, 'only');
  expect(performance.now() - began).toBeGreaterThanOrEqual(25);
});

test('a deadline that another one lifts at the same moment does not pass', async () => {
  const names: string[] = [];
  startDeadline(5, () => {
    names.push('first');
    liftSecond();
  });
  const liftSecond = startDeadline(5, () => names.push('second'));
  await passed({ later: 30 }, 'later');
  expect(names).toEqual(['first']);
});

test('a deadline passes outside the request that set it', async () => {
  const found = new Promise((resolve) => {
    runInContext({ requestId: 'a' }, () => startDeadline(5, () => resolve(currentContext() ?? 'none')));
  });
  // Unreferenced timers do not keep the process alive.
  expect(await Promise.race([found, delay(5_000)])).toBe('none');
});
