import { createLogger } from '../../runtime/telemetry/log.ts';
import { createLanes, type Lane } from './lanes.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** Lanes that take items from a queue; each step ends when `finish` is called. */
function createTestLanes(count: number) {
  const queue: string[] = [];
  const steps: { item: string; finish: () => void }[] = [];
  let looks = 0;
  const lane: Lane = async (signal, found) => {
    while (!signal.aborted) {
      looks += 1;
      await Promise.resolve();
      const item = queue.shift();
      if (item === undefined) return;
      if (item === 'fails') throw new Error('no');
      found();
      await new Promise<void>((finish) => steps.push({ item, finish }));
    }
  };
  const lanes = createLanes(
    Array.from({ length: count }, () => lane),
    { log },
  );
  return { lanes, queue, steps, countLooks: () => looks, items: () => steps.map(({ item }) => item) };
}

/** All pending promise callbacks have run by then. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('without work one lane looks for some, and with work as many lanes as there are items', async () => {
  const { lanes, queue, countLooks, items } = createTestLanes(4);
  lanes.look();
  await settled();
  expect(countLooks()).toBe(1);
  queue.push('a', 'b');
  lanes.look();
  await settled();
  expect(items()).toEqual(['a', 'b']);
  expect(countLooks()).toBe(4);
});

test('a free lane finds work while all others are busy, and no more lanes work than there are', async () => {
  const { lanes, queue, steps, items } = createTestLanes(2);
  queue.push('a');
  lanes.look();
  await settled();
  queue.push('b', 'c');
  lanes.look();
  await settled();
  expect(items()).toEqual(['a', 'b']);
  steps[1]!.finish();
  await settled();
  expect(items()).toEqual(['a', 'b', 'c']);
});

test('a look while no lane is free is made up for', async () => {
  const { lanes, queue, items } = createTestLanes(1);
  lanes.look();
  lanes.look();
  await Promise.resolve();
  await Promise.resolve();
  queue.push('a');
  await settled();
  expect(items()).toEqual(['a']);
});

test('a failure ends the run of its lane only', async () => {
  const { lanes, queue, items } = createTestLanes(1);
  queue.push('fails', 'a');
  lanes.look();
  await settled();
  expect(items()).toEqual([]);
  lanes.look();
  await settled();
  expect(items()).toEqual(['a']);
});

test('stopping waits for the steps under way, and no lane looks for work afterwards', async () => {
  const { lanes, queue, steps, items } = createTestLanes(2);
  queue.push('a');
  lanes.look();
  await settled();
  let isStopped = false;
  const stopping = lanes.stop().then(() => (isStopped = true));
  await settled();
  expect(isStopped).toBe(false);
  queue.push('b');
  steps[0]!.finish();
  await stopping;
  lanes.look();
  await settled();
  expect(items()).toEqual(['a']);
});
