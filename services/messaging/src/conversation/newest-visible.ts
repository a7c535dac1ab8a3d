import { hasBit } from '@parley/domain/bits';
import { bitOf, bitmapOf } from '../read-state/bitmap.ts';
import { beforeRange, type Range } from '../read-state/ranges.ts';
import type { UnseenRow } from '../sql/read-state/exclusion.ts';

/** The bitmaps of positions that a user does not see; undefined: all zero. */
export type UnseenBitmaps = { hidden?: Uint8Array | undefined; deleted?: Uint8Array | undefined };

export type Search = {
  /** The last position that may be visible. */
  limit: number;
  /** All positions up to this one are hidden. */
  hiddenUntil: number;
  /** Ranges of the history that the user is not shown. */
  unseen: readonly Range[];
  bitmaps: ReadonlyMap<number, UnseenBitmaps>;
  /** The number of the lowest bitmap that was read. */
  lowestKnown: number;
};

/** The bitmaps of rows of one conversation and user, by their number. */
export function toUnseenBitmaps(rows: readonly UnseenRow[]): Map<number, UnseenBitmaps> {
  const bitmaps = new Map<number, UnseenBitmaps>();
  for (const { block, hidden, deleted } of rows) {
    const known = bitmaps.get(block);
    bitmaps.set(block, { hidden: hidden ?? known?.hidden, deleted: deleted ?? known?.deleted });
  }
  return bitmaps;
}

/** The newest visible position. 0: none is visible; undefined: bitmaps below `lowestKnown` must be read. */
export function newestVisible(search: Search): number | undefined {
  const { limit, hiddenUntil, unseen: ranges, bitmaps, lowestKnown } = search;
  const next = (position: number): number => beforeRange(ranges, position);
  for (let position = next(limit); position > hiddenUntil; position = next(position - 1)) {
    const number = bitmapOf(position);
    if (number < lowestKnown) return undefined;
    const unseen = bitmaps.get(number);
    if (!unseen || !isSet(unseen, bitOf(position))) return position;
  }
  return 0;
}

function isSet({ hidden, deleted }: UnseenBitmaps, bit: number): boolean {
  return (hidden !== undefined && hasBit(hidden, bit)) || (deleted !== undefined && hasBit(deleted, bit));
}
