import { Code } from '@connectrpc/connect';
import fc from 'fast-check';
import { until } from '@parley/testing';
import {
  CONTENDED,
  ContendedError,
  createBatcher,
  createWaitingTurns,
  type Answer,
  type Contention,
} from './index.ts';
import { controlled, turn, type Batch } from '../../testing/controlled-batches.ts';

const keyOfItem = (item: string): string => item.charAt(0);

const anyContention = {
  keyOf: keyOfItem,
  groupOf: (item: string) => (item < 'x' ? 'one tenant' : 'another'),
  turns: createWaitingTurns({ max: 1000, maxOfGroup: 1000 }),
  giveUpAt: () => Infinity,
};

/** A batcher whose items are named by their key and a number. */
function contended(options: Partial<Contention<string, string>> & { maxQueued?: number } = {}) {
  const { maxQueued = 100, ...contention } = options;
  const { batches, run, wait } = controlled();
  const batcher = createBatcher<string, string>({
    run,
    maxItems: 10,
    maxQueued,
    contention: { ...anyContention, wait, ...contention },
  });
  const names = (isWait: boolean) => () =>
    batches.filter((batch) => batch.isWait === isWait).map((batch) => batch.items.join(' '));
  return { batcher, batches, run: names(false), waits: names(true) };
}

function waiting(batches: Batch[]): Batch | undefined {
  return batches.find(({ isWait }) => isWait);
}

test('contended items run again in their order and delay no other item', async () => {
  const { batches, run, batcher, waits } = contended();
  const outcome = Promise.all(['a1', 'b1', 'a2'].map((item) => batcher.add(item)));
  await turn();
  batches[0]?.answer([CONTENDED, 'B1', CONTENDED]);
  await turn();
  // Tried again at once; after that it has to wait for its turn.
  void batcher.add('a3');
  expect(run()).toEqual(['a1 b1 a2', 'a1 a2']);
  batches[1]?.answer([CONTENDED, CONTENDED]);
  await turn();
  expect(waits()).toEqual(['a1 a2']);
  const other = batcher.add('b2');
  await turn();
  expect(run()).toEqual(['a1 b1 a2', 'a1 a2', 'b2']);
  batches.at(-1)?.answer();
  expect(await other).toBe('B2');
  waiting(batches)?.answer();
  expect(await outcome).toEqual(['A1', 'B1', 'A2']);
  await turn();
  expect(run().at(-1)).toBe('a3');
  batches.at(-1)?.answer();
  await batcher.stop();
});

test('an item that is contended for too long is given up alone', async () => {
  const { batches, batcher } = contended({ giveUpAt: (item) => (item === 'a1' ? 0 : Infinity) });
  const first = batcher.add('a1');
  const second = batcher.add('a2');
  await turn();
  batches[0]?.answer([CONTENDED, CONTENDED]);
  await expect(first).rejects.toBeInstanceOf(ContendedError);
  await turn();
  batches[1]?.answer();
  expect(await second).toBe('A2');
});

test('an item that may not wait is given up at once behind others that wait', async () => {
  const { batches, batcher, waits } = contended({ giveUpAt: (item) => (item === 'a2' ? 0 : Infinity) });
  const first = batcher.add('a1');
  for (const round of [0, 1]) {
    await turn();
    batches[round]?.answer([CONTENDED]);
  }
  await turn();
  expect(waits()).toEqual(['a1']);
  await expect(batcher.add('a2')).rejects.toBeInstanceOf(ContendedError);
  waiting(batches)?.answer();
  expect(await first).toBe('A1');
});

test('the keys of one group do not take all the turns to wait', async () => {
  const { batches, batcher, waits } = contended({ turns: createWaitingTurns({ max: 3, maxOfGroup: 2 }) });
  for (const item of ['a1', 'b1', 'c1', 'x1']) batcher.add(item).catch(() => undefined);
  for (const round of [0, 1]) {
    await turn();
    batches[round]?.answer([CONTENDED, CONTENDED, CONTENDED, CONTENDED]);
  }
  await turn();
  expect(waits()).toEqual(['a1', 'b1', 'x1']);
});

test('stopping waits for contended items', async () => {
  const { batches, batcher } = contended();
  const item = batcher.add('a1');
  await turn();
  let isStopped = false;
  const stopped = batcher.stop().then(() => (isStopped = true));
  for (const round of [0, 1, 2]) {
    batches[round]?.answer([CONTENDED]);
    await turn();
  }
  expect(isStopped).toBe(false);
  await until(() => batches[3], { withinMs: 10_000, what: 'another try' });
  batches[3]?.answer();
  expect(await item).toBe('A1');
  await stopped;
});

test('contended items of one group take only a part of the room', async () => {
  const { batches, batcher } = contended({ maxQueued: 8 });
  const items = ['a1', 'a2', 'a3', 'a4'].map((item) => batcher.add(item));
  await turn();
  batches[0]?.answer(items.map(() => CONTENDED));
  await turn();
  batches[1]?.answer(items.map(() => CONTENDED));
  await turn();
  const [, , late] = ['a5', 'a6', 'a7'].map((item) => batcher.add(item));
  await expect(late).rejects.toMatchObject({ code: Code.ResourceExhausted });
});

test('groups that fill the queue with contended items do not block other groups', async () => {
  const { batches, batcher, waits } = contended({ maxQueued: 8, groupOf: keyOfItem });
  const add = (items: string[]) => items.map((item) => batcher.add(item));
  const tried = add(['a1', 'b1', 'c1', 'd1']);
  for (const round of [0, 1]) {
    await turn();
    batches[round]?.answer(tried.map(() => CONTENDED));
  }
  await turn();
  expect(waits()).toEqual(['a1', 'b1', 'c1', 'd1']);
  const held = add(['a2', 'a3', 'b2', 'b3', 'c2', 'c3', 'd2', 'd3']);
  await turn();
  // Its lane is busy from now on.
  const begun = add(['f1']);
  await turn();
  const newcomer = add(['e1']);
  for (const late of add(['e2', 'a4', 'd4']))
    await expect(late).rejects.toMatchObject({ code: Code.ResourceExhausted });
  const all = Promise.all([...tried, ...held, ...begun, ...newcomer]);
  let isDone = false;
  const done = all.then(() => (isDone = true));
  while (!isDone) {
    for (const batch of batches) batch.answer();
    await turn();
  }
  await done;
});

const step = fc.record({
  key: fc.constantFrom(...'abcd'),
  toggles: fc.boolean(),
  pauses: fc.boolean(),
});

test('items of a key keep their order and run once, however long the key is held', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(undefined, 1, 2, 3),
      async (steps, maxItems, splitFrom) => {
        const held = new Set<string>();
        const done: string[] = [];
        const inFlight = new Set<string>();
        const run = async (items: string[]): Promise<Answer<string>[]> => {
          const locked = new Set(held);
          const keys = new Set(items.map(keyOfItem));
          expect([...keys].filter((key) => inFlight.has(key))).toEqual([]);
          for (const key of keys) inFlight.add(key);
          await turn();
          for (const key of keys) inFlight.delete(key);
          return items.map((item) => {
            if (locked.has(keyOfItem(item))) return CONTENDED;
            done.push(item);
            return item;
          });
        };
        const batcher = createBatcher<string, string>({
          run,
          maxItems,
          maxQueued: 10_000,
          laneOf: (item) => item.charCodeAt(0),
          splitFrom,
          contention: { ...anyContention, wait: run },
        });
        const all: string[] = [];
        const added = [];
        for (const [number, { key, toggles, pauses }] of steps.entries()) {
          if (toggles && !held.delete(key)) held.add(key);
          all.push(`${key}${number}`);
          added.push(batcher.add(`${key}${number}`));
          if (pauses) await turn();
        }
        held.clear();
        await Promise.all(added);
        const byKey = (items: string[]) => Object.fromEntries(Map.groupBy(items, keyOfItem));
        expect(byKey(done)).toEqual(byKey(all));
      },
    ),
    { numRuns: 30 },
  );
});
