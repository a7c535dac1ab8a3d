import fc from 'fast-check';
import { maskOf, shardOf, shardsOfMask, virtualShard } from './shards.ts';

test('a user stays where they are, in every release', () => {
  expect(['alice', 'bob', 'Ünïcödé 😀', '__proto__'].map(virtualShard)).toEqual([10, 37, 25, 55]);
});

test('users are spread over all shards', () => {
  const counts = new Map<number, number>();
  for (let i = 0; i < 6400; i++) {
    const shard = virtualShard(`user-${i}`);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(64);
  for (const count of counts.values()) expect(count).toBeLessThan(170);
});

test('the live shards of an audience are those of its users', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 64 }), (userIds, shards) => {
      const expected = [...new Set(userIds.map((userId) => shardOf(userId, shards)))].sort((a, b) => a - b);
      const mask = maskOf(userIds);
      expect(mask).toMatch(/^[01]{64}$/);
      expect(shardsOfMask(mask, shards)).toEqual(expected);
      expect(shardsOfMask(BigInt(`0b${[...mask].reverse().join('')}`), shards)).toEqual(expected);
    }),
  );
});
