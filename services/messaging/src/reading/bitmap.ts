/** Positions are kept as bits of blocks: bit i of block b stands for position b * 256 + i. */
export const BLOCK_SIZE = 256;

export function blockOf(position: number): number {
  return Math.floor(position / BLOCK_SIZE);
}

export function bitOf(position: number): number {
  return position % BLOCK_SIZE;
}

export function firstOf(block: number): number {
  return block * BLOCK_SIZE;
}

export function lastOf(block: number): number {
  return block * BLOCK_SIZE + BLOCK_SIZE - 1;
}
