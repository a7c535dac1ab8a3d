/** A set of the numbers 0 to 255: number i is bit `1 << (i & 7)` of byte `i >> 3`. No bytes represent the empty set. */
export type Bits = Uint8Array;

export const BITS = 256;
const BYTES = BITS / 8;

export function noBits(): Bits {
  return new Uint8Array(BYTES);
}

export function hasBit(bits: Bits, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

/** A copy of the set with one more number. */
export function withBit(bits: Bits, index: number): Bits {
  const copy = copyOf(bits);
  const byte = index >> 3;
  copy[byte] = (copy[byte] ?? 0) | (1 << (index & 7));
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

// Not slice(): on a Buffer it would share the memory.
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
