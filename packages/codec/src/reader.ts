import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A field that a message's type does not have. `data`: as it is encoded, without the tag. */
export type UnknownField = { no: number; wireType: WireType; data: Uint8Array };

const REPLACEMENT = '\ufffd';
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_VARINT_BYTES = 10;

/** Reads the values of one encoded message, in their order. Every method throws when the bytes end too early. */
export class Reader {
  pos = 0;
  readonly end: number;
  readonly #bytes: Uint8Array;
  /** The bytes, with the methods of a buffer; views of it would be buffers, too. */
  readonly #buffer: Buffer;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  /** A field's number and wire type, as they are encoded: number × 8 + type. */
  tag(): number {
    const start = this.pos;
    const tag = this.uint32();
    const isTooLong = this.pos - start > 5 || (this.pos - start === 5 && this.#buffer[this.pos - 1]! > 0x0f);
    if (isTooLong || tag >>> 3 === 0 || (tag & 7) > WireType.Bit32)
      throw new Error(`malformed protobuf: invalid tag at byte ${start}`);
    return tag;
  }

  /** A varint, of which 32 bits count. */
  uint32(): number {
    let value = 0;
    for (let count = 0; count < MAX_VARINT_BYTES; count++) {
      const byte = this.#byte();
      if (count < 5) value |= (byte & 0x7f) << (7 * count);
      if (byte < 0x80) return value >>> 0;
    }
    throw tooLong();
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    let isTrue = false;
    for (let count = 0; count < MAX_VARINT_BYTES; count++) {
      const byte = this.#byte();
      isTrue ||= (byte & 0x7f) !== 0;
      if (byte < 0x80) return isTrue;
    }
    throw tooLong();
  }

  double(): number {
    const { buffer, byteOffset, byteLength } = this.#buffer;
    this.#view ??= new DataView(buffer, byteOffset, byteLength);
    const value = this.#view.getFloat64(this.pos, true);
    this.pos += 8;
    return value;
  }

  string(): string {
    const end = this.endOfValue();
    const text = this.#buffer.toString('utf8', this.pos, end);
    // It is there if the bytes hold it, or are not UTF-8: then this decoder throws.
    if (text.includes(REPLACEMENT)) STRICT_UTF8.decode(this.#bytes.subarray(this.pos, end));
    this.pos = end;
    return text;
  }

  /** A view of the message's bytes. */
  bytes(): Uint8Array {
    const end = this.endOfValue();
    const value = this.#bytes.subarray(this.pos, end);
    this.pos = end;
    return value;
  }

  /** Reads the length in front of a value, and returns where the value ends. */
  endOfValue(): number {
    const length = this.uint32();
    const end = this.pos + length;
    if (end > this.end) throw endsEarly();
    return end;
  }

  /** Passes over the field behind a tag. */
  unknown(tag: number): UnknownField {
    const no = tag >>> 3;
    const wireType = (tag & 7) as WireType;
    const reader = new BinaryReader(this.#bytes);
    reader.pos = this.pos;
    const data = reader.skip(wireType, no);
    this.pos = reader.pos;
    return { no, wireType, data };
  }

  /** The field behind a tag as it is encoded, with the tag. */
  encoded(tag: number): Uint8Array {
    return new BinaryWriter().uint32(tag).raw(this.unknown(tag).data).finish();
  }

  #byte(): number {
    if (this.pos >= this.end) throw endsEarly();
    return this.#buffer[this.pos++]!;
  }
}

function endsEarly(): Error {
  return new RangeError('malformed protobuf: the bytes end within a field');
}

function tooLong(): Error {
  return new RangeError(`malformed protobuf: a varint has more than ${MAX_VARINT_BYTES} bytes`);
}
