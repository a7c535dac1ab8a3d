import { noBits, withBit } from '@parley/domain/bits';
import fc from 'fast-check';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import { bitOf, bitmapOf, BITMAP_SIZE } from './bitmap.ts';
import { countDeleted, countExcluded, type ExclusionBitmaps } from './exclusions.ts';
import { markReadUpTo } from './mark-progress.ts';
import { createProgress, setBit, type Progress } from './progress.ts';
import { clip, contains, countWithin, formatRanges, indexFrom, merge, type Range } from './ranges.ts';
import { countedRanges } from './testing/counted-ranges.ts';

/** Three bitmaps. */
const HEAD = 3 * BITMAP_SIZE - 1;

const position = fc.integer({ min: 1, max: HEAD });
const positions = fc.uniqueArray(position, { maxLength: 200 });
/** Long ranges and short ones, so that some hold a bitmap and some are of one position. */
const range = fc
  .tuple(position, fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: HEAD })))
  .map(([first, more]): Range => ({ first, last: first + more }));
const within = fc
  .tuple(position, position)
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
const ranges = fc.array(range, { maxLength: 60 });

const all = Array.from({ length: HEAD }, (_, index) => index + 1);

function holds(list: readonly Range[], at: number): boolean {
  return list.some(({ first, last }) => first <= at && at <= last);
}

function listed(list: Iterable<Range>): number[] {
  return [...list].flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
}

function bitmapsOf(low: readonly number[], deleted: readonly number[]): Map<number, ExclusionBitmaps> {
  const bitmaps = new Map<number, ExclusionBitmaps>();
  const exclude = (kind: keyof ExclusionBitmaps, at: number): void => {
    const bits = bitmaps.get(bitmapOf(at)) ?? { low: noBits(), deleted: noBits() };
    bitmaps.set(bitmapOf(at), { ...bits, [kind]: withBit(bits[kind], bitOf(at)) });
  };
  for (const at of deleted) exclude('deleted', at);
  for (const at of low) if (!deleted.includes(at)) exclude('low', at);
  return bitmaps;
}

function progressOf(member: readonly Range[]): Progress {
  const row = {
    ...{ user_id: 'ann', member: formatRanges(member), left_seq: null, left_head: null, unlisted_at: null },
    ...{ read_until: 0, delivered_until: 0, hidden_until: 0, hidden_count: 0, covered_count: 0 },
  } as unknown as ParticipantRow;
  return createProgress(row, new Map(), [{ first: 0, last: Infinity }]);
}

test('positions are found in sorted ranges as in ranges of any order', () => {
  fc.assert(
    fc.property(ranges, within, (list, span) => {
      const merged = merge(list);
      const inside = all.filter((at) => at >= span.first && at <= span.last && holds(list, at));
      expect(all.filter((at) => contains(merged, at))).toEqual(all.filter((at) => holds(list, at)));
      const found = merged.findIndex(({ last }) => last >= span.first);
      expect(indexFrom(merged, span.first)).toBe(found < 0 ? merged.length : found);
      expect(listed(clip(merged, span))).toEqual(inside);
      expect(countWithin(merged, span.first, span.last)).toBe(inside.length);
    }),
  );
});

test('excluded positions are those of naive sets', () => {
  fc.assert(
    fc.property(ranges, within, positions, positions, (list, span, low, deleted) => {
      const bitmaps = bitmapsOf(low, deleted);
      const inside = all.filter((at) => at >= span.first && at <= span.last);
      const excluded = inside.filter((at) => holds(list, at) && (low.includes(at) || deleted.includes(at)));
      expect(countExcluded(bitmaps, merge(list), span)).toBe(excluded.length);
      expect(countDeleted(bitmaps, [span], span)).toBe(inside.filter((at) => deleted.includes(at)).length);
    }),
  );
});

test('what becomes read is what naive sets say', () => {
  fc.assert(
    fc.property(ranges, position, positions, positions, (list, until, read, deleted) => {
      const progress = progressOf(merge(list));
      for (const at of read) setBit(progress, 'read', at);
      const expected = all.filter(
        (at) => at <= until && holds(list, at) && !read.includes(at) && !deleted.includes(at),
      );
      const exclusions = bitmapsOf([], deleted);
      expect(listed(markReadUpTo(progress, until, { head: HEAD, exclusions }))).toEqual(expected);
    }),
  );
});

describe('a participant who received every other message', () => {
  const RANGES = 10_000;
  /** Looks at ranges. */
  const MOST = 5 * RANGES;
  const head = 2 * RANGES;
  const member = (): Range[] =>
    Array.from({ length: RANGES }, (_, index) => ({ first: 2 * index + 1, last: 2 * index + 1 }));
  /** Every fourth message. */
  const deleted = head / 4;
  const exclusions = new Map<number, ExclusionBitmaps>();
  for (let number = 0; number <= bitmapOf(head); number += 1)
    exclusions.set(number, { low: noBits(), deleted: new Uint8Array(32).fill(0b00100010) });

  test('costs a count of unread messages one step a range', () => {
    const { ranges: counted, looks } = countedRanges(member());
    expect(countExcluded(exclusions, counted, { first: 1, last: head })).toBe(deleted);
    expect(looks()).toBeLessThan(MOST);
  });

  test('costs the reading of everything one step a range and one list of the bitmaps', () => {
    const progress = progressOf(member());
    const { ranges: counted, looks } = countedRanges(progress.member);
    progress.member = counted;
    let lists = 0;
    const bitmaps = new Map(exclusions);
    const keys = bitmaps.keys.bind(bitmaps);
    bitmaps.keys = () => ((lists += 1), keys());
    const newlyRead = markReadUpTo(progress, head, { head, exclusions: bitmaps });
    expect(newlyRead).toHaveLength(RANGES - deleted);
    expect(looks()).toBeLessThan(MOST);
    expect(lists).toBe(1);
  });
});
