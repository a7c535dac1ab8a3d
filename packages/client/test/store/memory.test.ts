import { memoryStorage } from '../../src/store/memory.ts';
import { StaleEpochError } from '../../src/store/store.ts';

const row = (key: string, group: string, order: number) => ({ key, group, order, value: { key } });

test('rows are listed by group, the greatest order first, below an order', async () => {
  const store = await memoryStorage().open('one');
  await store.write(
    [1, 2, 3].map((order) => ({ kind: 'put', table: 'messages', row: row(`m${order}`, 'c', order) })),
  );
  await store.write([{ kind: 'put', table: 'messages', row: row('other', 'd', 9) }]);
  const keys = (await store.list('messages', { group: 'c', below: 3, limit: 1 })).map(({ key }) => key);
  expect(keys).toEqual(['m2']);
  await store.write([{ kind: 'removeGroup', table: 'messages', group: 'c', below: 3 }]);
  expect((await store.list('messages', { group: 'c' })).map(({ key }) => key)).toEqual(['m3']);
});

test('a leader of an earlier epoch writes nothing', async () => {
  const storage = memoryStorage();
  const [one, other] = [await storage.open('one'), await storage.open('one')];
  const [first, second] = [await one.claim(), await other.claim()];
  const put = [{ kind: 'put', table: 'values', row: row('a', '', 0) }] as const;
  await expect(one.write(put, { epoch: first })).rejects.toBeInstanceOf(StaleEpochError);
  expect(await one.get('values', ['a'])).toEqual([undefined]);
  await other.write(put, { epoch: second });
  expect(await one.get('values', ['a'])).toEqual([row('a', '', 0)]);
});
