import {
  DistinctHashes,
  estimateDistinct,
  EXACT_UP_TO,
  HASH_SPACE,
  hashUser,
  smallestHashes,
} from './distinct.ts';

function hashesOf(users: readonly number[]): number[] {
  const distinct = new DistinctHashes();
  for (const user of users) distinct.add(hashUser('app', `user-${user}`));
  return distinct.takeFresh();
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function count(hashes: Iterable<number>): number {
  const kept = smallestHashes(hashes);
  return estimateDistinct(kept.length, kept.at(-1) ?? 0);
}

test('few users are counted exactly, each once over two processes', () => {
  const united = [...hashesOf(range(0, 300)), ...hashesOf(range(100, 400))];
  expect(count(united)).toBe(400);
  expect(count([])).toBe(0);
});

test.each([600, 5_000, 200_000])('%i users are estimated within a tenth, in bounded memory', (users) => {
  const [one, other] = [hashesOf(range(0, users - 100)), hashesOf(range(100, users))];
  expect(one.length).toBeLessThan(2 * EXACT_UP_TO);
  expect(Math.abs(count([...one, ...other]) - users)).toBeLessThan(users / 10);
});

test('hashes are whole numbers of the space, and differ by application', () => {
  const hash = hashUser('a', 'ädä ✓');
  expect(Number.isInteger(hash) && hash >= 0 && hash < HASH_SPACE).toBe(true);
  expect(hashUser('b', 'ädä ✓')).not.toBe(hash);
});
