/** Large enough that handing one to the compressor's thread costs little, and gone with the youngest garbage. */
const CHUNK_BYTES = 128 * 1024;

/** UTF-8 of texts, in chunks of at most 128 KiB; a text is written where it stays. Long ones make a chunk longer. */
export class TextChunks {
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #length = 0;

  /** Gives what is full: all before the texts, or them as well when they may be longer than a chunk. */
  add(...texts: string[]): Buffer | undefined {
    // No character takes more than three bytes for each of its UTF-16 units.
    const maxBytes = texts.reduce((sum, text) => sum + 3 * text.length, 0);
    const full = this.#length + maxBytes > CHUNK_BYTES ? this.take() : undefined;
    if (maxBytes > CHUNK_BYTES)
      return Buffer.concat([full ?? Buffer.alloc(0), ...texts.map((text) => Buffer.from(text))]);
    for (const text of texts) this.#length += this.#chunk.write(text, this.#length);
    return full;
  }

  /** What there is by now. */
  take(): Buffer {
    const taken = this.#chunk.subarray(0, this.#length);
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#length = 0;
    return taken;
  }
}
