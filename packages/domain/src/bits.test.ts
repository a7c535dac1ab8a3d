import fc from 'fast-check';
import * as bits from './bits.ts';

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 255 }));
const all = Array.from({ length: bits.BITS }, (_, index) => index);
const toBits = (list: readonly number[]) => list.reduce(bits.withBit, bits.noBits());
const listBits = (set: bits.Bits) => all.filter((index) => bits.hasBit(set, index));
const sorted = (list: Iterable<number>) => [...list].sort((a, b) => a - b);

test('bit i is byte i >> 3, mask 1 << (i & 7)', () => {
  expect([...toBits([0, 9, 255])].map((byte, i) => [i, byte]).filter(([, byte]) => byte)).toEqual([
    [0, 1],
    [1, 2],
    [31, 128],
  ]);
});

test('holds what was put in, and counts it', () => {
  fc.assert(
    fc.property(numbers, (list) => {
      const set = toBits(list);
      expect(listBits(set)).toEqual(sorted(list));
      expect(bits.countBits(set)).toBe(list.length);
      expect(bits.isEmpty(set)).toBe(list.length === 0);
    }),
  );
});

test('takes one number out', () => {
  expect(listBits(bits.withoutBit(toBits([3, 7, 12]), 7))).toEqual([3, 12]);
});

test('takes no bytes for the empty set', () => {
  const none = new Uint8Array();
  expect(bits.hasBit(none, 5)).toBe(false);
  expect(bits.countBits(none)).toBe(0);
  expect(listBits(bits.withBit(none, 200))).toEqual([200]);
});

test('never changes what it is given, a Buffer of the database too', () => {
  const set = Buffer.alloc(32);
  bits.withBit(set, 1);
  bits.withoutBit(set, 1);
  expect(bits.isEmpty(set)).toBe(true);
});
