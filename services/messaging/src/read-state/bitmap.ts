/** Positions are bits of bitmaps: bit i of bitmap b stands for position b * 256 + i. docs/data-model.md#watermarks-and-bitmaps */
export const BITMAP_SIZE = 256;

export function bitmapOf(position: number): number {
  return Math.floor(position / BITMAP_SIZE);
}

export function bitOf(position: number): number {
  return position % BITMAP_SIZE;
}

export function firstPositionOf(number: number): number {
  return number * BITMAP_SIZE;
}

export function lastPositionOf(number: number): number {
  return number * BITMAP_SIZE + BITMAP_SIZE - 1;
}
