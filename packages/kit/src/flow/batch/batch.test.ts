import { Code, ConnectError } from '@connectrpc/connect';
import { createBatcher } from './index.ts';
import { currentContext, runInContext } from '../../runtime/request-context.ts';
import { controlled, turn } from '../../testing/controlled-batches.ts';

test('items added in one turn of the event loop are sent together at its end', async () => {
  const { run, sent } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 10 });
  void batcher.add('a');
  process.nextTick(() => void batcher.add('b'));
  await turn();
  expect(sent()).toEqual(['ab']);
});

test('items that arrive while a batch is in flight form the next batch', async () => {
  const { run, sent, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 10 });
  const first = batcher.add('a');
  await turn();
  const others = Promise.all([batcher.add('b'), batcher.add('c')]);
  await turn();
  expect(sent()).toEqual(['a']);
  batches[0]?.answer();
  await turn();
  expect(sent()).toEqual(['a', 'bc']);
  batches[1]?.answer();
  expect([await first, ...(await others)]).toEqual(['A', 'B', 'C']);
  void batcher.add('d');
  await turn();
  expect(sent()).toEqual(['a', 'bc', 'd']);
});

test('a batch holds at most maxItems', async () => {
  const { run, sent, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 2, maxQueued: 10 });
  for (const item of 'abcde') void batcher.add(item);
  for (let index = 0; index < 3; index += 1) {
    await turn();
    batches[index]?.answer();
  }
  expect(sent()).toEqual(['ab', 'cd', 'e']);
});

test('a batch holds at most maxBytes, or one item that is larger', async () => {
  const { run, sent, batches } = controlled();
  const batcher = createBatcher({
    run,
    maxItems: 10,
    maxQueued: 10,
    maxBytes: 3,
    sizeOf: (item: string) => Number(item),
  });
  for (const item of ['1', '2', '1', '1', '9', '3']) void batcher.add(item);
  for (let index = 0; index < 4; index += 1) {
    await turn();
    batches[index]?.answer();
  }
  expect(sent()).toEqual(['12', '11', '9', '3']);
});

test('a bad item fails alone', async () => {
  const { run, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 10 });
  const first = batcher.add('a');
  await turn();
  const rest = Promise.allSettled(['b', 'c', 'd'].map((item) => batcher.add(item)));
  batches[0]?.answer();
  await first;
  await turn();
  const bad = new ConnectError('no', Code.NotFound);
  batches[1]?.answer(['B', bad, 'D']);
  expect(await rest).toEqual([
    { status: 'fulfilled', value: 'B' },
    { status: 'rejected', reason: bad },
    { status: 'fulfilled', value: 'D' },
  ]);
});

test('a batch that fails rejects its items, and the next batch runs', async () => {
  const { run, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 10 });
  const first = batcher.add('a');
  await turn();
  const second = batcher.add('b');
  batches[0]?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await turn();
  batches[1]?.answer();
  expect(await second).toBe('B');
});

test('a run that throws synchronously or returns too few results rejects its items', async () => {
  const throwing = createBatcher<string, string>({
    run: () => {
      throw new Error('at once');
    },
    maxItems: 1,
    maxQueued: 1,
  });
  await expect(throwing.add('a')).rejects.toThrow('at once');
  const short = createBatcher<string, string>({ run: () => Promise.resolve([]), maxItems: 1, maxQueued: 1 });
  await expect(short.add('a')).rejects.toMatchObject({ code: Code.Internal });
});

test('lanes do not wait for each other, and keep the order of their items', async () => {
  const { run, sent, batches } = controlled();
  const batcher = createBatcher({
    run,
    maxItems: 10,
    maxQueued: 10,
    lanes: 2,
    laneOf: (item: string) => item.charCodeAt(0),
  });
  for (const item of ['b', 'a', 'd']) void batcher.add(item);
  await turn();
  for (const item of ['f', 'c', 'h']) void batcher.add(item);
  expect(sent()).toEqual(['bd', 'a']);
  batches[0]?.answer();
  await turn();
  expect(sent()).toEqual(['bd', 'a', 'fh']);
});

function splitting() {
  const { run, sent, batches } = controlled();
  const laneOf = (item: string) => item.charCodeAt(0);
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 20, laneOf, splitFrom: 2 });
  async function add(items: string): Promise<void> {
    for (const item of items) void batcher.add(item);
    await turn();
  }
  async function answer(index: number): Promise<void> {
    batches[index]?.answer();
    await turn();
  }
  return { add, answer, sent };
}

test('the halves of a lane share a batch while they are short', async () => {
  const { add, answer, sent } = splitting();
  await add('abd');
  expect(sent()).toEqual(['bda']);
  await add('fc');
  expect(sent()).toEqual(['bda']);
  await answer(0);
  expect(sent()).toEqual(['bda', 'cf']);
});

test('a half with enough items forms a batch while the other half is in flight', async () => {
  const { add, answer, sent } = splitting();
  await add('abcd');
  expect(sent()).toEqual(['bd', 'ac']);
  await add('fhe');
  await answer(1);
  expect(sent()).toEqual(['bd', 'ac']);
  await add('g');
  expect(sent()).toEqual(['bd', 'ac', 'eg']);
  await answer(0);
  expect(sent()).toEqual(['bd', 'ac', 'eg', 'fh']);
});

test('the halves of a lane take turns to begin a batch that they share', async () => {
  const { add, answer, sent } = splitting();
  await add('b');
  await add('a');
  await answer(0);
  await add('cd');
  await answer(1);
  expect(sent()).toEqual(['b', 'a', 'dc']);
});

test('an item beyond maxQueued is refused, earlier items are not', async () => {
  const { run, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 2 });
  const first = batcher.add('a');
  await turn();
  const kept = Promise.all([first, batcher.add('b'), batcher.add('c')]);
  await expect(batcher.add('d')).rejects.toMatchObject({ code: Code.ResourceExhausted });
  batches[0]?.answer();
  await turn();
  batches[1]?.answer();
  expect(await kept).toEqual(['A', 'B', 'C']);
});

test('a batch does not run in the request of one of its items', async () => {
  const seen: unknown[] = [];
  const batcher = createBatcher({
    run: (items: string[]) => {
      seen.push(currentContext());
      return Promise.resolve(items);
    },
    maxItems: 1,
    maxQueued: 5,
  });
  await runInContext({ requestId: 'r', deadline: 1 }, async () => {
    await Promise.all([batcher.add('a'), batcher.add('b')]);
    expect(currentContext()?.requestId).toBe('r');
  });
  expect(seen).toEqual([undefined, undefined]);
});

test('stopping waits for accepted items and refuses further ones', async () => {
  const { run, batches } = controlled();
  const batcher = createBatcher({ run, maxItems: 10, maxQueued: 10 });
  const first = batcher.add('a');
  await turn();
  const answers = Promise.all([first, batcher.add('b')]);
  let stopped = false;
  const stop = batcher.stop().then(() => (stopped = true));
  await expect(batcher.add('c')).rejects.toMatchObject({ code: Code.Unavailable });
  batches[0]?.answer();
  await turn();
  expect(stopped).toBe(false);
  batches[1]?.answer();
  await stop;
  expect(await answers).toEqual(['A', 'B']);
});

test('stopping ends when a batch that was about to begin is over before that', async () => {
  const { run, batches } = controlled();
  const batcher = createBatcher({
    run: (items: string[]) => (batches.length === 0 ? run(items) : Promise.resolve(items)),
    ...{ maxItems: 10, maxQueued: 10, laneOf: (item: string) => item.charCodeAt(0), splitFrom: 2 },
  });
  const first = batcher.add('b');
  await turn();
  const others = Promise.all([batcher.add('a'), batcher.add('c')]);
  batches[0]?.answer();
  const stop = batcher.stop();
  expect(await first).toBe('B');
  expect(await others).toEqual(['a', 'c']);
  await stop;
});

test('a shorter way that throws rejects its items, is not run again, and lets the next batch begin', async () => {
  let isBroken = true;
  let runs = 0;
  const batcher = createBatcher<number, number>({
    run: (items) => Promise.resolve(items.map(() => (runs += 1))),
    runDirectly(items, settle) {
      if (isBroken) throw new Error('broken');
      settle(items);
      return true;
    },
    maxItems: 10,
    maxQueued: 10,
  });
  await expect(batcher.add(1)).rejects.toThrow('broken');
  isBroken = false;
  expect(await batcher.add(2)).toBe(2);
  expect(runs).toBe(0);
  await batcher.stop();
});
