import { noBits, hasBit, isEmpty, withBit } from '@parley/domain/bits';
import { BLOCK_SIZE, blockOf, firstOf } from './bitmap.ts';

type Block = { block: number; read: Uint8Array; delivered: Uint8Array };
type Watermarks = { readUntil: number; deliveredUntil: number };

export type StoredStatus = Watermarks & { blocks: (Block & { hidden: Uint8Array })[] };
export type Status = Watermarks & { blocks: Block[] };

/**
 * What is told of a participant's receipts for the positions of a span. A watermark says nothing about a message that was
 * hidden before it was read or delivered; where there are such, the watermarks are told lower, and bits instead.
 */
export function toStatusBlocks(stored: StoredStatus, span: { first: number; last: number }): Status {
  const withHidden = stored.blocks.filter(({ hidden }) => !isEmpty(hidden));
  if (withHidden.length === 0) {
    const blocks = stored.blocks.map(({ block, read, delivered }) => ({ block, read, delivered }));
    return { readUntil: stored.readUntil, deliveredUntil: stored.deliveredUntil, blocks };
  }
  const first = blockOf(span.first);
  const blocks = Array.from({ length: blockOf(span.last) - first + 1 }, (_, index) =>
    spell(stored, first + index),
  );
  const lowest = Math.max(0, firstOf(first) - 1);
  return {
    readUntil: Math.min(stored.readUntil, lowest),
    deliveredUntil: Math.min(stored.deliveredUntil, lowest),
    blocks,
  };
}

function spell(stored: StoredStatus, number: number): Block {
  const block = stored.blocks.find((one) => one.block === number);
  let read = block?.read ?? noBits();
  let delivered = block?.delivered ?? noBits();
  for (let bit = 0; bit < BLOCK_SIZE; bit++) {
    const position = firstOf(number) + bit;
    if (block && hasBit(block.hidden, bit)) continue;
    if (position <= stored.readUntil) read = withBit(read, bit);
    if (position <= stored.deliveredUntil) delivered = withBit(delivered, bit);
  }
  return { block: number, read, delivered };
}
