import { hasBit } from '@parley/domain/bits';
import { bitOf, bitmapOf } from '../reading/bitmap.ts';

/** Which positions of a block a user does not see; either may be absent: none. */
export type UnseenBitmaps = { hidden?: Uint8Array | undefined; deleted?: Uint8Array | undefined };

export type Search = {
  /** The last position that may be visible. */
  limit: number;
  /** The last position that is not, for sure. */
  hiddenUntil: number;
  blocks: ReadonlyMap<number, UnseenBitmaps>;
  /** The lowest block that was looked for. */
  lowestKnown: number;
};

/** The newest position that is visible; 0: there is none; undefined: blocks below the known ones must be looked at. */
export function newestVisible({ limit, hiddenUntil, blocks, lowestKnown }: Search): number | undefined {
  for (let position = limit; position > hiddenUntil; position--) {
    const block = bitmapOf(position);
    if (block < lowestKnown) return undefined;
    const unseen = blocks.get(block);
    if (!unseen || !isSet(unseen, bitOf(position))) return position;
  }
  return 0;
}

function isSet({ hidden, deleted }: UnseenBitmaps, bit: number): boolean {
  return (hidden !== undefined && hasBit(hidden, bit)) || (deleted !== undefined && hasBit(deleted, bit));
}
