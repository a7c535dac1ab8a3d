import fc from 'fast-check';
import { GatheredBytes } from './gathered-bytes.ts';

const pieces = fc.array(
  fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ minLength: 4_000, maxLength: 5_000 })),
  { maxLength: 60 },
);

test('any pieces come out as the same bytes, however often they are taken', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 4 }), (rounds) => {
      const gathered = new GatheredBytes();
      for (const round of rounds) {
        for (const piece of round) gathered.add(piece);
        const expected = Buffer.concat(round);
        expect(gathered.size).toBe(expected.length);
        expect(gathered.takeBuffer().equals(expected)).toBe(true);
        expect(gathered.size).toBe(0);
      }
    }),
    { numRuns: 50 },
  );
});

test('a megabyte in pieces of one byte is held in a few blocks of about as many bytes', () => {
  const gathered = new GatheredBytes();
  const one = new Uint8Array(1);
  for (let count = 0; count < 1_000_000; count++) gathered.add(one);
  const chunks = gathered.take();
  const kept = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(chunks.length).toBeLessThan(64);
  expect(kept).toBeLessThan(1_100_000);
});

test.each([
  ['a thousand pieces of a byte', 1_000, 1, false],
  ['two thousand pieces of a byte', 2_000, 1, true],
  ['a million bytes in pieces of 64', 15_625, 64, false],
  ['a hundred thousand bytes in pieces of 8', 12_500, 8, true],
  ['pieces of nothing', 2_000, 0, true],
])('%s', (_, count, length, expected) => {
  const gathered = new GatheredBytes();
  for (let at = 0; at < count; at++) gathered.add(new Uint8Array(length));
  expect(gathered.isShredded).toBe(expected);
});
