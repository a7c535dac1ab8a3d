import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

export type UnknownField = { no: number; wireType: WireType; data: Uint8Array };

const REPLACEMENT = '\ufffd';
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the values of one encoded message, in their order. Every method throws when the bytes end too early. */
export class Reader {
  pos = 0;
  readonly end: number;
  private readonly bytesOf: Uint8Array;
  private readonly buffer: Buffer;
  private view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytesOf = bytes;
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  /** A field's number and wire type, as they are encoded: number × 8 + type. */
  tag(): number {
    const tag = this.uint32();
    const no = tag >>> 3;
    if (no === 0 || (tag & 7) > WireType.Bit32) throw new Error(`no tag of a field: ${tag}`);
    return tag;
  }

  /** A varint, of which 32 bits count. */
  uint32(): number {
    const { buffer } = this;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.pos >= this.end) throw ended();
      const byte = buffer[this.pos++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Error('a varint has more than ten bytes');
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    const { buffer } = this;
    let isTrue = false;
    for (let count = 0; count < 10; count++) {
      if (this.pos >= this.end) throw ended();
      const byte = buffer[this.pos++]!;
      isTrue ||= (byte & 0x7f) !== 0;
      if (byte < 0x80) return isTrue;
    }
    throw new Error('a varint has more than ten bytes');
  }

  double(): number {
    const { buffer } = this;
    this.view ??= new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const value = this.view.getFloat64(this.pos, true);
    this.pos += 8;
    return value;
  }

  string(): string {
    const end = this.endOfValue();
    const text = this.buffer.toString('utf8', this.pos, end);
    // Only bytes that are not UTF-8, or this very character, become it.
    if (text.includes(REPLACEMENT)) strictText.decode(this.bytesOf.subarray(this.pos, end));
    this.pos = end;
    return text;
  }

  /** A view of the message's bytes. */
  bytes(): Uint8Array {
    const end = this.endOfValue();
    const value = this.bytesOf.subarray(this.pos, end);
    this.pos = end;
    return value;
  }

  /** Where a value ends that has its length in front. */
  endOfValue(): number {
    const length = this.uint32();
    const end = this.pos + length;
    if (end > this.end) throw ended();
    return end;
  }

  /** The field behind this tag, as it is encoded, without the tag. */
  skip(tag: number): UnknownField {
    const no = tag >>> 3;
    const wireType = (tag & 7) as WireType;
    const reader = new BinaryReader(this.bytesOf);
    reader.pos = this.pos;
    const data = reader.skip(wireType, no);
    this.pos = reader.pos;
    return { no, wireType, data };
  }
}

function ended(): Error {
  return new RangeError('the message ends within a field');
}
