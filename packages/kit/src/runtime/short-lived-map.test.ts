import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { ShortLivedMap } from './short-lived-map.ts';

const KILOBYTES = 1024;

/** Numbers of bytes. `size`: of the ShortLivedMap, in entries. */
type Retained = { byBriefMap: number; byMap: number[]; size: number };

let retained: Retained;

beforeAll(() => {
  const script = path.join(import.meta.dirname, '../testing', 'retained.ts');
  retained = JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' }),
  ) as Retained;
});

test('keeps nothing of deleted entries when only young objects are collected', () => {
  expect(retained.byBriefMap).toBeLessThan(3000 * KILOBYTES);
  expect(retained.size).toBe(0);
});

// If this fails with a later release of Node, ShortLivedMap may no longer be needed.
test('a plain Map keeps most of what was deleted', () => {
  expect(Math.max(...retained.byMap)).toBeGreaterThan(5000 * KILOBYTES);
});

test('has the entries of a Map', () => {
  const step = fc.record({ key: fc.nat({ max: 5 }), value: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new ShortLivedMap<number, number>();
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
