import { getHeapSpaceStatistics } from 'node:v8';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';

/*
 * Prints, as JSON, how many bytes a ShortLivedMap and three plain maps retain. It runs in a process of its own, since a collection of the
 * small heap takes a moment and one of the test runner's a second. Needs --expose-gc.
 */

const collect = globalThis.gc as unknown as (options: { type: 'minor' | 'major' }) => void;

/** The bytes that a map retains after entries of 10 MB were set and deleted, of which at most 9 were there at a time. Bytes. */
function retainedBy(map: {
  set(key: number, value: unknown): unknown;
  delete(key: number): unknown;
}): number {
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

const brief = new ShortLivedMap<number, unknown>();
const byBriefMap = retainedBy(brief);
const byMap = Array.from({ length: 3 }, () => retainedBy(new Map()));
process.stdout.write(JSON.stringify({ byBriefMap, byMap, size: brief.size }));
