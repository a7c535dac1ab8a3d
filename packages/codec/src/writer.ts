import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { UnknownField } from './reader.ts';

const FIRST_BYTES = 16_384;
/** A larger buffer is not kept for the next message. */
const MAX_KEPT_BYTES = 1_048_576;
/** Up to this length a text is copied faster by this code than by a call of the runtime. Characters. */
const SHORT_TEXT = 24;
/** Up to this length a text gets room for the longest encoding that it could have. Characters. */
const MEDIUM_TEXT = 8_192;
const MAX_INT32 = 0x7fffffff;
const MAX_UINT32 = 0xffffffff;

/** Writes messages, one after another; the values of each in their order. */
export class Writer {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private view = new DataView(this.buffer.buffer);
  private pos = 0;

  /** Begins a message; of one that was not finished nothing is left. */
  begin(): void {
    this.pos = 0;
    if (this.buffer.length > MAX_KEPT_BYTES) this.replace(Buffer.allocUnsafeSlow(FIRST_BYTES));
  }

  /** The message that was begun last. */
  finish(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.pos);
    bytes.set(this.buffer.subarray(0, this.pos));
    return bytes;
  }

  /** A varint. `value`: a whole number of at most 32 bits. */
  varint(value: number): void {
    this.reserve(5);
    const { buffer } = this;
    let rest = value;
    let pos = this.pos;
    while (rest > 0x7f) {
      buffer[pos++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[pos++] = rest;
    this.pos = pos;
  }

  uint32(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > MAX_UINT32)
      throw new RangeError(`${value} is no uint32`);
    this.varint(value);
  }

  int32(value: number): void {
    if (!Number.isInteger(value) || value > MAX_INT32 || value < -MAX_INT32 - 1)
      throw new RangeError(`${value} is no int32`);
    if (value >= 0) this.varint(value);
    else this.raw(new BinaryWriter().int32(value).finish());
  }

  bool(value: boolean): void {
    this.reserve(1);
    this.buffer[this.pos++] = value ? 1 : 0;
  }

  double(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.pos, value, true);
    this.pos += 8;
  }

  string(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`${typeof value} instead of a string`);
    if (value.length > SHORT_TEXT || !this.shortAscii(value)) this.anyText(value);
  }

  bytes(value: Uint8Array): void {
    if (!(value instanceof Uint8Array)) throw new TypeError(`${typeof value} instead of bytes`);
    this.varint(value.byteLength);
    this.raw(value);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.byteLength);
    this.buffer.set(bytes, this.pos);
    this.pos += bytes.byteLength;
  }

  /** Begins a value that has its length in front. Returns what `join` needs. */
  fork(): number {
    this.reserve(1);
    return ++this.pos;
  }

  /** Ends the value that began at `start`. */
  join(start: number): void {
    const length = this.pos - start;
    if (length < 0x80) {
      this.buffer[start - 1] = length;
      return;
    }
    this.reserve(5);
    const place = start - 1 + bytesOfVarint(length);
    this.buffer.copyWithin(place, start, this.pos);
    this.pos = start - 1;
    this.varint(length);
    this.pos = place + length;
  }

  unknown(fields: readonly UnknownField[]): void {
    for (const { no, wireType, data } of fields) {
      this.varint(((no << 3) | wireType) >>> 0);
      this.raw(data);
    }
  }

  /** False, and nothing written, when a character is not ASCII. */
  private shortAscii(value: string): boolean {
    const { length } = value;
    this.reserve(length + 1);
    const { buffer } = this;
    let pos = this.pos + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[pos++] = code;
    }
    buffer[this.pos] = length;
    this.pos = pos;
    return true;
  }

  private anyText(value: string): void {
    this.reserve(5 + (value.length > MEDIUM_TEXT ? Buffer.byteLength(value) : 3 * value.length));
    // Most texts are ASCII, so the number of bytes is expected to be that of characters, and to take as much room.
    const start = this.pos + bytesOfVarint(value.length);
    const length = this.buffer.write(value, start, 'utf8');
    const place = this.pos + bytesOfVarint(length);
    if (place !== start) this.buffer.copyWithin(place, start, start + length);
    this.varint(length);
    this.pos = place + length;
  }

  private reserve(bytes: number): void {
    const needed = this.pos + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer.subarray(0, this.pos));
    this.replace(larger);
  }

  private replace(buffer: Buffer<ArrayBuffer>): void {
    this.buffer = buffer;
    this.view = new DataView(buffer.buffer);
  }
}

function bytesOfVarint(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}
