/** A set of the numbers 0 to 255: bit i is byte i >> 3, mask 1 << (i & 7). No bytes at all is the empty set. */
export type Bits = Uint8Array;

export const BITS = 256;
const BYTES = BITS / 8;

export function noBits(): Bits {
  return new Uint8Array(BYTES);
}

export function hasBit(bits: Bits, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

/** A copy with one more. */
export function withBit(bits: Bits, index: number): Bits {
  const copy = copyOf(bits);
  const byte = index >> 3;
  copy[byte] = (copy[byte] ?? 0) | (1 << (index & 7));
  return copy;
}

/** A copy with all of `first` to `last`, both included. */
export function withRange(bits: Bits, first: number, last: number): Bits {
  const copy = copyOf(bits);
  for (let i = first; i <= last; i++) copy[i >> 3] = (copy[i >> 3] ?? 0) | (1 << (i & 7));
  return copy;
}

export function withoutBit(bits: Bits, index: number): Bits {
  const copy = copyOf(bits);
  const byte = index >> 3;
  copy[byte] = (copy[byte] ?? 0) & ~(1 << (index & 7));
  return copy;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += onesOf(bits[i] ?? 0);
  return count;
}

export function isEmpty(bits: Bits): boolean {
  return bits.every((byte) => byte === 0);
}

/** The first number from `from` on that is not in the set; 256 when there is none. */
export function firstClear(bits: Bits, from = 0): number {
  for (let i = from; i < BITS; i++) {
    if ((i & 7) === 0 && bits[i >> 3] === 0xff) i += 7;
    else if (!hasBit(bits, i)) return i;
  }
  return BITS;
}

export function union(a: Bits, b: Bits): Bits {
  return combine(a, b, (x, y) => x | y);
}

export function intersection(a: Bits, b: Bits): Bits {
  return combine(a, b, (x, y) => x & y);
}

/** What is in `a` and not in `b`. */
export function difference(a: Bits, b: Bits): Bits {
  return combine(a, b, (x, y) => x & ~y);
}

/** In ascending order. */
export function listBits(bits: Bits): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < bits.length * 8; i++) if (hasBit(bits, i)) numbers.push(i);
  return numbers;
}

function combine(a: Bits, b: Bits, rule: (x: number, y: number) => number): Bits {
  const result = noBits();
  for (let i = 0; i < BYTES; i++) result[i] = rule(a[i] ?? 0, b[i] ?? 0);
  return result;
}

// Not slice(): a Buffer's shares its memory.
function copyOf(bits: Bits): Bits {
  const copy = noBits();
  copy.set(bits);
  return copy;
}

function onesOf(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55);
  const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33);
  return (nibbles + (nibbles >> 4)) & 0x0f;
}
