const MICROS_TO_2000 = 946_684_800_000_000;

/**
 * Reads consecutive rows in the format of Postgres' `record_send(row(…))`: a row's fields in order, each with the method for its type. A
 * null is undefined.
 */
export class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Moves to the next row, after all fields of the previous one were read; false after the last row. */
  next(): boolean {
    // The number of fields.
    this.#at += 4;
    return this.#at < this.#bytes.length;
  }

  uuid(): string | undefined {
    const end = this.#field();
    if (end === undefined) return undefined;
    const hex = this.#bytes.toString('hex', end - 16, end);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  text(): string | undefined {
    const from = this.#at + 8;
    const end = this.#field();
    return end === undefined ? undefined : this.#bytes.toString('utf8', from, end);
  }

  /** A view, not a copy. */
  bytea(): Uint8Array | undefined {
    const from = this.#at + 8;
    const end = this.#field();
    if (end === undefined) return undefined;
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + from, end - from);
  }

  /** Exact below 2^53. */
  int8(): number | undefined {
    const end = this.#field();
    if (end === undefined) return undefined;
    return this.#bytes.readInt32BE(end - 8) * 2 ** 32 + this.#bytes.readUInt32BE(end - 4);
  }

  /** A timestamptz as milliseconds since the epoch. */
  time(): number | undefined {
    const micros = this.int8();
    return micros === undefined ? undefined : Math.floor((micros + MICROS_TO_2000) / 1000);
  }

  /** Moves past the next field: its type (4 bytes), its length (4), the value. Undefined for a null, whose length is -1. */
  #field(): number | undefined {
    const length = this.#bytes.readInt32BE(this.#at + 4);
    this.#at += 8 + Math.max(length, 0);
    return length < 0 ? undefined : this.#at;
  }
}
