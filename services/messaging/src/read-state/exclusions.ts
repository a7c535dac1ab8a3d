import { countBits, hasBit } from '@parley/domain/bits';
import { BITMAP_SIZE, bitOf, bitmapOf, firstPositionOf, lastPositionOf } from './bitmap.ts';
import { clip, type Range } from './ranges.ts';

/** Positions of one bitmap that do not count as unread. The sets are disjoint: deleting a low message moves its bit. */
export type ExclusionBitmaps = { low: Uint8Array; deleted: Uint8Array };

/** A conversation's bitmaps by number; a missing one excludes nothing. */
export type Exclusions = ReadonlyMap<number, ExclusionBitmaps>;

export const NO_EXCLUSIONS: Exclusions = new Map();

export function isDeleted(exclusions: Exclusions, position: number): boolean {
  const bits = exclusions.get(bitmapOf(position));
  return bits !== undefined && hasBit(bits.deleted, bitOf(position));
}

/** How a position counts, apart from a participant's exceptions. */
export type Significance = 'normal' | 'low' | 'deleted';

export function significanceOf(exclusions: Exclusions, position: number): Significance {
  const bits = exclusions.get(bitmapOf(position));
  const bit = bitOf(position);
  if (bits === undefined) return 'normal';
  return hasBit(bits.deleted, bit) ? 'deleted' : hasBit(bits.low, bit) ? 'low' : 'normal';
}

/** The number of excluded positions from `first` to `last` within `ranges`. */
export function countExcluded(exclusions: Exclusions, ranges: readonly Range[], within: Range): number {
  return countIn(exclusions, ranges, within, ['low', 'deleted']);
}

/** The number of deleted positions from `first` to `last` within `ranges`. */
export function countDeleted(exclusions: Exclusions, ranges: readonly Range[], within: Range): number {
  return countIn(exclusions, ranges, within, ['deleted']);
}

function countIn(
  exclusions: Exclusions,
  ranges: readonly Range[],
  { first, last }: Range,
  kinds: readonly (keyof ExclusionBitmaps)[],
): number {
  let count = 0;
  for (const [number, bits] of exclusions) {
    const from = Math.max(first, firstPositionOf(number));
    const to = Math.min(last, lastPositionOf(number));
    if (from > to) continue;
    for (const part of clip(ranges, { first: from, last: to })) count += countInBlock(bits, part, kinds);
  }
  return count;
}

/** The range lies within the block that the bitmaps are of. */
function countInBlock(
  bits: ExclusionBitmaps,
  { first, last }: Range,
  kinds: readonly (keyof ExclusionBitmaps)[],
): number {
  let count = 0;
  if (last - first + 1 === BITMAP_SIZE) {
    for (const kind of kinds) count += countBits(bits[kind]);
    return count;
  }
  for (let bit = bitOf(first); bit <= bitOf(last); bit++) {
    if (kinds.some((kind) => hasBit(bits[kind], bit))) count++;
  }
  return count;
}
