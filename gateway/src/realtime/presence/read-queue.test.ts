import { createReadQueue } from './read-queue.ts';

type List = { appId: string; name: string };

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads that end when the test lets them. */
function start() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = createReadQueue<List>(({ appId, name }) => {
    begun.push(`${appId} ${name}`);
    return new Promise((resolve) => ends.push(resolve));
  });
  async function finish(count: number): Promise<void> {
    for (const end of ends.splice(0, count)) end();
    await settled();
  }
  return { queue, begun, finish };
}

const listsOf = (appId: string, count: number): List[] =>
  Array.from({ length: count }, (_, n) => ({ appId, name: String(n) }));

test('an application with a thousand changed lists delays the list of another by one reading', async () => {
  const { queue, begun, finish } = start();
  for (const list of listsOf('large', 1000)) queue.add(list);
  for (const list of listsOf('small', 1)) queue.add(list);
  expect(begun).toHaveLength(8);
  await finish(2);
  expect(begun).toContain('small 0');
});

test('a list in the queue is read once, however often it changes; a list that is being read is read again', async () => {
  const { queue, begun, finish } = start();
  const lists = listsOf('app', 10);
  for (let change = 0; change < 50; change++) for (const list of lists) queue.add(list);
  for (let turn = 0; turn < 10; turn++) await finish(8);
  const times = (name: string): number => begun.filter((one) => one === `app ${name}`).length;
  expect(times('0')).toBe(2);
  expect(times('9')).toBe(1);
});

test('a removed list is not read', async () => {
  const { queue, begun, finish } = start();
  const lists = listsOf('app', 10);
  for (const list of lists) queue.add(list);
  queue.remove(lists[9]!);
  await finish(8);
  await finish(8);
  expect(begun).toHaveLength(9);
});

test('stop() waits for what is being read, and begins nothing else', async () => {
  const { queue, begun, finish } = start();
  for (const list of listsOf('app', 10)) queue.add(list);
  const stopped = queue.stop();
  await finish(8);
  await stopped;
  expect(begun).toHaveLength(8);
});
