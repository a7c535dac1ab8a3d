import fc from 'fast-check';
import * as bits from './bits.ts';

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 255 }));
const toBits = (list: readonly number[]) => list.reduce(bits.withBit, bits.noBits());
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
      expect(bits.listBits(set)).toEqual(sorted(list));
      expect(bits.countBits(set)).toBe(list.length);
      expect(bits.isEmpty(set)).toBe(list.length === 0);
    }),
  );
});

test('combines like sets', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [x, y] = [toBits(a), toBits(b)];
      expect(bits.listBits(bits.union(x, y))).toEqual(sorted(new Set([...a, ...b])));
      expect(bits.listBits(bits.intersection(x, y))).toEqual(sorted(a.filter((i) => b.includes(i))));
      expect(bits.listBits(bits.difference(x, y))).toEqual(sorted(a.filter((i) => !b.includes(i))));
    }),
  );
});

test('takes a range in, and one number out', () => {
  const set = bits.withRange(bits.noBits(), 3, 12);
  expect(bits.listBits(bits.withoutBit(set, 7))).toEqual([3, 4, 5, 6, 8, 9, 10, 11, 12]);
});

test('finds the first that is missing', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 256 }), (list, from) => {
      let naive = from;
      while (naive < 256 && list.includes(naive)) naive++;
      expect(bits.firstClear(toBits(list), from)).toBe(naive);
    }),
  );
  expect(bits.firstClear(bits.withRange(bits.noBits(), 0, 255))).toBe(256);
  expect(bits.firstClear(bits.withRange(bits.noBits(), 0, 254), 200)).toBe(255);
});

test('takes no bytes for the empty set', () => {
  const none = new Uint8Array();
  expect(bits.hasBit(none, 5)).toBe(false);
  expect(bits.countBits(none)).toBe(0);
  expect(bits.listBits(bits.withBit(none, 200))).toEqual([200]);
  expect(bits.listBits(bits.union(none, toBits([1])))).toEqual([1]);
});

test('never changes what it is given, a Buffer of the database too', () => {
  const set = Buffer.alloc(32);
  bits.withBit(set, 1);
  bits.withRange(set, 1, 9);
  bits.withoutBit(set, 1);
  expect(bits.isEmpty(set)).toBe(true);
});
