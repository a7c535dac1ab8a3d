import { createPoolShares, longestWait, type PoolShares } from './pool-shares.ts';
import { runInContext } from '../runtime/request-context.ts';

const shares = () => createPoolShares({ poolSize: 16, refusal: () => new Error('refused') });

/** The largest number of a hundred calls that run at once; calls end on request. */
async function mostAtOnce(
  run: PoolShares['run'],
  appId: string,
  calls = 100,
): Promise<{ running: number; end(): Promise<unknown> }> {
  let running = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const all = Array.from({ length: calls }, () =>
    run(appId, () => {
      running += 1;
      return ended;
    }),
  );
  await new Promise(setImmediate);
  return { running, end: () => (end(), Promise.all(all)) };
}

/** Starts calls of an application until one is refused; they end on request. */
async function fill(run: PoolShares['run'], appId: string): Promise<() => Promise<unknown>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const all = Array.from({ length: 1_010 }, () => run(appId, () => ended));
  const settled = Promise.allSettled(all);
  await new Promise(setImmediate);
  return () => (end(), settled);
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

test('background work leaves connections to all calls, and takes turns by application', async () => {
  const { run, runBackground } = shares();
  const one = await mostAtOnce(runBackground, 'one');
  const two = await mostAtOnce(runBackground, 'two');
  const three = await mostAtOnce(runBackground, 'three');
  const light = await mostAtOnce(run, 'one');
  expect([one.running, two.running, three.running, light.running]).toEqual([1, 1, 0, 7]);
  await Promise.all([one.end(), two.end(), three.end(), light.end()]);
});

test('calls that serve batches of several applications do not wait behind other calls, and leave connections free', async () => {
  const { run, runBatched } = shares();
  const calls = [await mostAtOnce(run, 'noisy'), await mostAtOnce(run, 'other')];
  const noisy = await mostAtOnce(runBatched, 'noisy');
  const other = await mostAtOnce(runBatched, 'other');
  const third = await mostAtOnce(runBatched, 'third', 1);
  expect([noisy.running, other.running, third.running]).toEqual([1, 1, 0]);
  await Promise.all([...calls, noisy, other, third].map(({ end }) => end()));
});

test.each([
  ['without a deadline', undefined, 120_000],
  ['with a deadline in five seconds', 15_000, 3_500],
  ['with a deadline in a minute', 70_000, 58_500],
  ['with a deadline in 200 ms', 10_200, 100],
  ['whose deadline has passed', 9_000, 0],
])('a call %s waits for as long as leaves time for its work', (_, deadline, ms) => {
  expect(longestWait(deadline, 10_000)).toBe(ms);
});

test('a call that finds no room is refused before its deadline', async () => {
  const { runHeavy } = shares();
  const noisy = await mostAtOnce(runHeavy, 'app');
  const deadline = performance.now() + 5_000;
  const late = runInContext({ requestId: 'r', deadline }, () => runHeavy('app', () => Promise.resolve()));
  await expect(late).rejects.toThrow('refused');
  expect(performance.now()).toBeLessThan(deadline);
  await noisy.end();
});

test('applications with as many waiting calls as allowed do not block other applications', async () => {
  for (const kind of ['run', 'runHeavy'] as const) {
    const call = shares()[kind];
    const noisy = Array.from({ length: 25 }, (_, n) => `noisy ${n}`);
    const busy = await Promise.all(noisy.map((appId) => fill(call, appId)));
    const newcomer = mostAtOnce(call, 'newcomer', 20);
    await Promise.all(busy.map((end) => end()));
    const { end } = await newcomer;
    await end();
  }
});

test('calls that lock the same row run in order of arrival, and take no share while they wait', async () => {
  const { inOrder, runHeavy } = shares();
  const ordered = (appId: string, locked: string) =>
    mostAtOnce((_, work) => inOrder(appId, locked, () => runHeavy(appId, work)), '');
  const first = await ordered('app', 'a');
  const second = await ordered('app', 'b');
  const other = await ordered('other', 'a');
  expect([first.running, second.running, other.running]).toEqual([1, 1, 1]);
  await Promise.all([first.end(), second.end(), other.end()]);
  const done: number[] = [];
  const calls = [1, 2, 3].map((n) => inOrder('app', 'a', async () => void done.push(n)));
  await Promise.all(calls);
  expect(done).toEqual([1, 2, 3]);
});
