import { noBits, hasBit, isEmpty, withBit } from '@parley/domain/bits';
import { BITMAP_SIZE, bitmapOf, firstPositionOf } from './bitmap.ts';

type ReceiptBitmaps = { block: number; read: Uint8Array; delivered: Uint8Array };
type Watermarks = { readUntil: number; deliveredUntil: number };

export type StoredReceiptStatus = Watermarks & { blocks: (ReceiptBitmaps & { hidden: Uint8Array })[] };
export type ReceiptStatus = Watermarks & { blocks: ReceiptBitmaps[] };

/**
 * A participant's receipts for the positions of a span. A watermark says nothing about a message that was hidden before
 * it was read or delivered. With such messages the watermarks are lowered to the beginning of the span, and bits
 * replace them.
 */
export function toReceiptStatus(
  stored: StoredReceiptStatus,
  span: { first: number; last: number },
): ReceiptStatus {
  const withHidden = stored.blocks.filter(({ hidden }) => !isEmpty(hidden));
  if (withHidden.length === 0) {
    const blocks = stored.blocks.map(({ block, read, delivered }) => ({ block, read, delivered }));
    return { readUntil: stored.readUntil, deliveredUntil: stored.deliveredUntil, blocks };
  }
  const first = bitmapOf(span.first);
  const byNumber = new Map(stored.blocks.map((bits) => [bits.block, bits]));
  const blocks = Array.from({ length: bitmapOf(span.last) - first + 1 }, (_, index) =>
    withWatermarks(stored, first + index, byNumber.get(first + index)),
  );
  const lowest = Math.max(0, firstPositionOf(first) - 1);
  return {
    readUntil: Math.min(stored.readUntil, lowest),
    deliveredUntil: Math.min(stored.deliveredUntil, lowest),
    blocks,
  };
}

function withWatermarks(
  stored: Watermarks,
  number: number,
  bits: StoredReceiptStatus['blocks'][number] | undefined,
): ReceiptBitmaps {
  let read = bits?.read ?? noBits();
  let delivered = bits?.delivered ?? noBits();
  for (let bit = 0; bit < BITMAP_SIZE; bit++) {
    const position = firstPositionOf(number) + bit;
    if (bits && hasBit(bits.hidden, bit)) continue;
    if (position <= stored.readUntil) read = withBit(read, bit);
    if (position <= stored.deliveredUntil) delivered = withBit(delivered, bit);
  }
  return { block: number, read, delivered };
}
