/** A piece of at least this size is kept as it is; smaller ones are copied together. Bytes. */
const WHOLE_BYTES = 4_096;
const LARGEST_BLOCK_BYTES = 65_536;
/** Pieces that any body may come in, and the fewest bytes on average of each further one. */
const PIECES = 1_024;
const BYTES_A_PIECE = 64;

/** Counts the pieces of a body. */
export class CountedPieces {
  #pieces = 0;
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#pieces += 1;
    this.#bytes += piece.length;
  }

  /** There are far more than any client or proxy makes of so many bytes. Each costs time, however small it is. */
  get areTooMany(): boolean {
    return this.#pieces > PIECES + this.#bytes / BYTES_A_PIECE;
  }
}

/**
 * Bytes that arrive in pieces. The sender decides where they are cut, and a list of pieces of one byte each takes
 * a hundred times the memory of the bytes: small pieces are copied together here, so that memory grows as the bytes do.
 */
export class GatheredBytes {
  #chunks: Uint8Array[] = [];
  /** Small pieces are copied here; `#used` bytes of it are. */
  #block: Buffer | undefined;
  #used = 0;
  #held = 0;
  readonly #pieces = new CountedPieces();

  /** Bytes that were added and not yet taken. */
  get size(): number {
    return this.#held;
  }

  /** The bytes came in too many pieces. */
  get isShredded(): boolean {
    return this.#pieces.areTooMany;
  }

  add(piece: Uint8Array): void {
    this.#pieces.add(piece);
    this.#held += piece.length;
    if (piece.length >= WHOLE_BYTES) {
      this.#closeBlock();
      this.#chunks.push(piece);
      return;
    }
    for (let rest = piece; rest.length > 0;) rest = this.#copy(rest);
  }

  /** Everything that was added since the last call, in order. */
  take(): Uint8Array[] {
    this.#closeBlock();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#held = 0;
    return chunks;
  }

  /** All bytes in one buffer, without a copy where there is one chunk. */
  takeBuffer(): Buffer {
    const chunks = this.take();
    const [first] = chunks;
    if (!first || chunks.length > 1) return Buffer.concat(chunks);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** Copies what fits into the block; returns the rest. */
  #copy(bytes: Uint8Array): Uint8Array {
    const wanted = Math.min(Math.max(2 * this.#held, bytes.length), LARGEST_BLOCK_BYTES);
    this.#block ??= Buffer.allocUnsafeSlow(wanted);
    const part = bytes.subarray(0, this.#block.length - this.#used);
    this.#block.set(part, this.#used);
    this.#used += part.length;
    if (this.#used === this.#block.length) this.#closeBlock();
    return bytes.subarray(part.length);
  }

  #closeBlock(): void {
    if (this.#block && this.#used > 0) this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
