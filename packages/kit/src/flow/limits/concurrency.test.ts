import { createConcurrency, type Level } from './concurrency.ts';
import { runInContext } from '../../runtime/request-context.ts';

const many = { running: 1000, waiting: 1000 };

function limiter(levels: Level[], waitMs = 60_000) {
  return createConcurrency({ levels, waitMs, refusal: () => new Error('refused') });
}

/** Pieces of work that end on request, and the order in which they began. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const settle = () => new Promise(setImmediate);

test('each group runs at most its limit at once, also within a group with a higher limit', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([
    { running: 3, waiting: 10 },
    { running: 2, waiting: 10 },
    { running: 1, waiting: 10 },
  ]);
  const all = [
    limit.run(['', 'a', 'ada'], work('1')),
    limit.run(['', 'a', 'ada'], work('2')),
    limit.run(['', 'a', 'bob'], work('3')),
    limit.run(['', 'a', 'eve'], work('4')),
    limit.run(['', 'b', 'ada'], work('5')),
    limit.run(['', 'c', 'ada'], work('6')),
  ];
  await settle();
  expect(begun).toEqual(['1', '3', '5']);
  for (const name of ['1', '3', '5', '2', '4', '6']) {
    end(name);
    await settle();
  }
  expect((await Promise.all(all)).toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
  expect([limit.running, limit.waiting]).toEqual([0, 0]);
});

test('waiting groups take turns, however many callers one of them has', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([{ running: 1, waiting: 100 }, many]);
  const all = [1, 2, 3, 4].map((n) => limit.run(['', 'noisy'], work(`noisy ${n}`)));
  all.push(limit.run(['', 'quiet'], work('quiet 1')), limit.run(['', 'quiet'], work('quiet 2')));
  const order = ['noisy 1', 'noisy 2', 'quiet 1', 'noisy 3', 'quiet 2', 'noisy 4'];
  for (const name of order) {
    await settle();
    end(name);
  }
  await Promise.all(all);
  expect(begun).toEqual(order);
});

test('a full queue refuses only its own group', async () => {
  const { work, end } = createWorks();
  const limit = limiter([many, { running: 1, waiting: 1 }]);
  const kept = [limit.run(['', 'noisy'], work('1')), limit.run(['', 'noisy'], work('2'))];
  await expect(limit.run(['', 'noisy'], work('3'))).rejects.toThrow('refused');
  const other = limit.run(['', 'quiet'], work('4'));
  await settle();
  end('4');
  await expect(other).resolves.toBe('4');
  end('1');
  await settle();
  end('2');
  await Promise.all(kept);
});

test('a full queue still admits a group that has almost nothing waiting', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([
    { running: 1, waiting: 3, guaranteed: 1 },
    { running: 1, waiting: 2 },
  ]);
  const names = ['a1', 'a2', 'a3', 'b1', 'c1'];
  const all = names.map((name) => limit.run(['', name.charAt(0)], work(name)));
  for (const group of ['a', 'b', 'c']) {
    await expect(limit.run(['', group], work('more'))).rejects.toThrow('refused');
  }
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
    await settle();
    end(name);
  }
  await Promise.all(all);
  expect(begun.toSorted()).toEqual(names);
});

test('an exempt group is limited by the groups around it alone', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([
    { running: 2, waiting: 10 },
    { running: 1, waiting: 10, exempt: 'server' },
  ]);
  const all = ['1', '2', '3'].map((name) => limit.run(['a', 'server'], work(name)));
  await settle();
  expect(begun).toEqual(['1', '2']);
  for (const name of ['1', '2', '3']) {
    end(name);
    await settle();
  }
  await Promise.all(all);
});

test('each group takes at most half of what the other groups leave', async () => {
  const limit = limiter([
    { running: 8, waiting: 100 },
    { running: 8, waiting: 10, fair: true },
  ]);
  const leaves = new Map<string, (() => void)[]>();
  const enter = async (group: string): Promise<void> => {
    const leave = await limit.enter(['', group]);
    leaves.set(group, [...(leaves.get(group) ?? []), leave]);
  };
  const all = ['a', 'b', 'c', 'd'].flatMap((group) => Array.from({ length: 8 }, () => enter(group)));
  const counts = () => ['a', 'b', 'c', 'd'].map((group) => leaves.get(group)?.length);
  await settle();
  expect(counts()).toEqual([4, 2, 1, 1]);
  for (const leave of leaves.get('a') ?? []) leave();
  await settle();
  // Two of the eight places stay free for a further group.
  expect([counts(), limit.running]).toEqual([[5, 2, 2, 1], 6]);
  while (limit.running > 0) {
    for (const leave of [...leaves.values()].flat()) leave();
    await settle();
  }
  await Promise.all(all);
  expect(limit.waiting).toBe(0);
});

test('a caller that waits too long is refused and takes no turn', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([{ running: 1, waiting: 10 }], 1);
  const first = limit.run([''], work('1'));
  await expect(limit.run([''], work('2'))).rejects.toThrow('refused');
  end('1');
  await first;
  expect([begun, limit.running, limit.waiting]).toEqual([['1'], 0, 0]);
});

test('the wait limit of a caller may be computed when it begins to wait', async () => {
  let waitMs = 60_000;
  const limit = createConcurrency({
    levels: [{ running: 1, waiting: 10 }],
    waitMs: () => waitMs,
    refusal: () => new Error('refused'),
  });
  const leave = await limit.enter(['']);
  const patient = limit.enter(['']);
  waitMs = 1;
  await expect(limit.enter([''])).rejects.toThrow('refused');
  leave();
  (await patient)();
  expect(limit.running).toBe(0);
});

test('a caller that disconnects stops waiting', async () => {
  const { begun, work, end } = createWorks();
  const limit = limiter([{ running: 1, waiting: 10 }]);
  const first = limit.run([''], work('1'));
  const gone = new AbortController();
  const second = runInContext({ requestId: 'r', signal: gone.signal }, () => limit.run([''], work('2')));
  await settle();
  expect(limit.waiting).toBe(1);
  gone.abort();
  await expect(second).rejects.toThrow('refused');
  end('1');
  await first;
  expect([begun, limit.running, limit.waiting]).toEqual([['1'], 0, 0]);
});

test('work that fails gives its slot back', async () => {
  const limit = limiter([{ running: 1, waiting: 0 }]);
  await expect(limit.run([''], () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(limit.run([''], () => Promise.resolve('done'))).resolves.toBe('done');
});

test('a slot that is given back twice counts once', async () => {
  const limit = limiter([{ running: 1, waiting: 0 }]);
  const leave = await limit.enter(['']);
  leave();
  const leaveAgain = await limit.enter(['']);
  leave();
  await expect(limit.enter([''])).rejects.toThrow('refused');
  leaveAgain();
  expect(limit.running).toBe(0);
});
