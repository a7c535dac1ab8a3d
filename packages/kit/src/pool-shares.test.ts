import { createPoolShares, type PoolShares } from './pool-shares.ts';

const shares = () => createPoolShares({ poolSize: 16, refusal: () => new Error('refused') });

/** How many of a hundred calls run at once, each of which ends when it is told to. */
async function mostAtOnce(
  run: PoolShares['run'],
  appId: string,
): Promise<{ running: number; end(): Promise<unknown> }> {
  let running = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const all = Array.from({ length: 100 }, () =>
    run(appId, () => {
      running += 1;
      return ended;
    }),
  );
  await new Promise(setImmediate);
  return { running, end: () => (end(), Promise.all(all)) };
}

test('an application that calls without end leaves connections to the others, and all of them some to the rest', async () => {
  const { run } = shares();
  const noisy = await mostAtOnce(run, 'noisy');
  const other = await mostAtOnce(run, 'other');
  expect([noisy.running, other.running]).toEqual([8, 4]);
  await Promise.all([noisy.end(), other.end()]);
});

test('heavy calls of an application leave connections to its other calls', async () => {
  const { run, runHeavy } = shares();
  const heavy = await mostAtOnce(runHeavy, 'app');
  const light = await mostAtOnce(run, 'app');
  expect([heavy.running, light.running]).toEqual([2, 6]);
  await Promise.all([heavy.end(), light.end()]);
});
