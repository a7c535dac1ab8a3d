import fc from 'fast-check';
import { TextChunks } from './text-chunks.ts';

const text = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 0, max: 20_000 }))
  .map(([piece, times]) => piece.repeat(times));

test('the chunks together are the texts, for all lengths and characters', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const chunks = new TextChunks();
      const given = texts.flatMap((one) => chunks.add(',', one) ?? []);
      expect(
        Buffer.concat([...given, chunks.take()]).equals(Buffer.from(texts.map((one) => `,${one}`).join(''))),
      ).toBe(true);
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('chunks of short texts are at most 128 KiB, and few are smaller', () => {
  const chunks = new TextChunks();
  const sizes: number[] = [];
  for (let n = 0; n < 1000; n++) {
    const full = chunks.add('x'.repeat(1000));
    if (full) sizes.push(full.length);
  }
  sizes.push(chunks.take().length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(128 * 1024);
  expect(sizes.length).toBeLessThanOrEqual(8);
});
