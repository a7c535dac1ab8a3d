import { batchesOf, batchesOfPages, linesOf, type NextRecipients } from './recipients.ts';

const PAGE_ROWS = 100;
const USERS = Array.from({ length: 2_345 }, (_, index) => `user-${String(index).padStart(4, '0')}`);

/** All batches, until there is none. */
async function gather(next: NextRecipients): Promise<string[][]> {
  const batches: string[][] = [];
  for (let batch = await next(); batch; batch = await next()) batches.push(batch);
  return batches;
}

function readPage(fromId: string) {
  const at = USERS.indexOf(fromId) + 1;
  const userIds = USERS.slice(at, at + PAGE_ROWS);
  return Promise.resolve({ userIds, hasMore: at + PAGE_ROWS < USERS.length });
}

test('each line names a user, once', () => {
  expect(linesOf(' ada\n\ngrace \r\nada\n')).toEqual(['ada', 'grace']);
});

test('named users are taken by the thousand', async () => {
  const batches = await gather(batchesOf(USERS));
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 345]);
  expect(batches.flat()).toEqual(USERS);
});

test('users of pages are taken by the thousand, each once', async () => {
  const batches = await gather(batchesOfPages(readPage));
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 345]);
  expect(batches.flat()).toEqual(USERS);
});

test('a list without a user has no batch', async () => {
  expect(await gather(batchesOf([]))).toEqual([]);
  expect(await gather(batchesOfPages(() => Promise.resolve({ userIds: [], hasMore: false })))).toEqual([]);
});

test('after a page that could not be read, the next call misses and repeats nobody', async () => {
  let isBroken = false;
  const next = batchesOfPages((fromId) =>
    isBroken && fromId === 'user-1499' ? Promise.reject(new Error('no answer')) : readPage(fromId),
  );
  const first = await next();
  isBroken = true;
  await expect(next()).rejects.toThrow('no answer');
  isBroken = false;
  expect([...(first ?? []), ...(await gather(next)).flat()]).toEqual(USERS);
});
