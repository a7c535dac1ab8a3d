import { setFlagsFromString, getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BriefMap } from './brief-map.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

const KILOBYTES = 1024;

/** What a map retains after entries of 10 MB were set and deleted, of which at most 9 were there at a time. Bytes. */
function retainedBy(map: Pick<Map<number, unknown>, 'set' | 'delete'>): number {
  for (let round = 0; round < 3; round++) collect({ type: 'major' });
  const before = oldBytes();
  for (let key = 0; key < 10_000; key++) {
    map.set(
      key,
      Array.from({ length: 128 }, () => key),
    );
    map.delete(key - 8);
    if (key % 500 === 0) for (let round = 0; round < 3; round++) collect({ type: 'minor' });
  }
  for (let key = 9_992; key < 10_000; key++) map.delete(key);
  for (let round = 0; round < 3; round++) collect({ type: 'minor' });
  return oldBytes() - before;
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}

test('keeps nothing of deleted entries when only young objects are collected', () => {
  const map = new BriefMap<number, unknown>();
  expect(
    retainedBy({
      set: (key, value) => (map.set(key, value), new Map()),
      delete: (key) => map.delete(key) !== undefined,
    }),
  ).toBeLessThan(3000 * KILOBYTES);
  expect(map.size).toBe(0);
});

// If this fails with a later release of Node, BriefMap may no longer be needed.
test('a plain Map keeps most of what was deleted', () => {
  const retained = Array.from({ length: 3 }, () => retainedBy(new Map()));
  expect(Math.max(...retained)).toBeGreaterThan(5000 * KILOBYTES);
});

test('has the entries of a Map', () => {
  const step = fc.record({ key: fc.nat({ max: 5 }), value: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new BriefMap<number, number>();
      const model = new Map<number, number>();
      for (const { key, value } of steps) {
        if (value === undefined) {
          expect(map.delete(key)).toBe(model.get(key));
          model.delete(key);
        } else {
          map.set(key, value);
          model.delete(key);
          model.set(key, value);
        }
        expect(map.size).toBe(model.size);
        expect(map.keys()).toEqual([...model.keys()]);
        expect(map.values()).toEqual([...model.values()]);
      }
    }),
  );
});
