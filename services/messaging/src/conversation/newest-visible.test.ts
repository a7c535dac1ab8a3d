import { withBit } from '@parley/domain/bits';
import fc from 'fast-check';
import { bitOf, bitmapOf } from '../read-state/bitmap.ts';
import { contains, merge } from '../read-state/ranges.ts';
import { newestVisible, type UnseenBitmaps } from './newest-visible.ts';

test('finds the newest visible position of a naive search, or asks for lower bitmaps', () => {
  const cases = fc.record({
    limit: fc.integer({ min: 1, max: 700 }),
    hiddenUntil: fc.nat(700),
    lowestKnown: fc.nat(2),
    top: fc.nat(600),
    hidden: fc.uniqueArray(fc.integer({ min: 1, max: 700 })),
    deleted: fc.uniqueArray(fc.integer({ min: 1, max: 700 })),
    before: fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 700 }), fc.nat(300))
        .map(([first, more]) => ({ first, last: first + more })),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(cases, ({ limit, hiddenUntil, lowestKnown, top, hidden, deleted, before }) => {
      // The newest messages are all hidden.
      const gapless = Array.from({ length: top }, (_, n) => limit - n).filter((position) => position > 0);
      const ranges = merge(before);
      const unseen = new Set([...hidden, ...deleted, ...gapless]);
      const bitmaps = new Map<number, UnseenBitmaps>();
      for (const position of [...hidden, ...gapless]) put(bitmaps, 'hidden', position);
      for (const position of deleted) put(bitmaps, 'deleted', position);
      let expected: number | undefined = 0;
      for (let position = limit; position > hiddenUntil && expected === 0; position--) {
        if (contains(ranges, position)) continue;
        if (bitmapOf(position) < lowestKnown) expected = undefined;
        else if (!unseen.has(position)) expected = position;
      }
      expect(newestVisible({ unseen: ranges, limit, hiddenUntil, bitmaps, lowestKnown })).toBe(expected);
    }),
  );
});

function put(bitmaps: Map<number, UnseenBitmaps>, kind: keyof UnseenBitmaps, position: number): void {
  const bits = bitmaps.get(bitmapOf(position)) ?? {};
  bitmaps.set(bitmapOf(position), {
    ...bits,
    [kind]: withBit(bits[kind] ?? new Uint8Array(32), bitOf(position)),
  });
}
