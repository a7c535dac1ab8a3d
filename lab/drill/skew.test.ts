import type { History } from '../faults/history.ts';
import { joined, withoutUser } from './history.ts';
import { aheadBy, DATABASES, momentOf, readArguments } from './skew.ts';

test('a database that is older, or newer, has the other moment than all others', () => {
  const moments = (skew: Parameters<typeof momentOf>[0]) =>
    ['identity', 'messaging'].map((database) => momentOf(skew, database));
  expect(moments(undefined)).toEqual(['first', 'first']);
  expect(moments({ database: 'identity', is: 'older' })).toEqual(['first', 'second']);
  expect(moments({ database: 'identity', is: 'newer' })).toEqual(['second', 'first']);
});

test('arguments name the skews that follow a restore to one moment', () => {
  expect(readArguments([])).toEqual({ seconds: 10, skews: [undefined], clocksApartMs: 0 });
  const named = readArguments(['--seconds', '3', '--skew', 'push=older', '--skew', 'content=newer']);
  expect(named).toEqual({
    seconds: 3,
    skews: [undefined, { database: 'push', is: 'older' }, { database: 'content', is: 'newer' }],
    clocksApartMs: 0,
  });
  expect(readArguments(['--clocks', '3600'])).toMatchObject({ clocksApartMs: 3_600_000 });
  expect(() => readArguments(['--clocks', 'an hour'])).toThrow('--clocks is a whole number');
  expect(readArguments(['--skew', 'all']).skews).toHaveLength(1 + 2 * DATABASES.length);
  for (const wrong of ['gateway=older', 'push', 'push=later'])
    expect(() => readArguments(['--skew', wrong])).toThrow('--skew is all');
});

test('clocks that are wrong by up to a time differ from each other, in both directions', () => {
  expect(aheadBy(['a', 'b', 'c'], 600)).toEqual([
    ['a', -600],
    ['b', 0],
    ['c', 600],
  ]);
  expect(aheadBy(['a'], 600)).toEqual([['a', -600]]);
});

test('histories are joined, and a user is erased from them', () => {
  const sent = { conversation: 'c', position: 1, hiddenFrom: [], deleted: false };
  const part = (id: string, sender: string): History => ({
    sent: [{ ...sent, id, sender }],
    read: new Map([['bob', new Set([id])]]),
    announced: [`a-${id}`],
    faults: [],
  });
  const both = joined(part('m1', 'ada'), part('m2', 'eve'));
  expect(both.read).toEqual(new Map([['bob', new Set(['m1', 'm2'])]]));
  expect(both.announced).toEqual(['a-m1', 'a-m2']);
  const deleted = withoutUser(both, 'eve').sent.filter((one) => one.deleted);
  expect(deleted.map(({ id }) => id)).toEqual(['m2']);
});
