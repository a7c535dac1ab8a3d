/** Large enough that passing one to the compressor's thread is cheap, small enough for the young generation of the heap. */
const CHUNK_BYTES = 128 * 1024;

/** Encodes texts as UTF-8 in chunks of at most 128 KiB, or longer for a longer text. Each text is copied once. */
export class TextChunks {
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #length = 0;

  /** Returns a full chunk: all text before, and the new texts too when they may be longer than a chunk. */
  add(...texts: string[]): Buffer | undefined {
    // No character takes more than three bytes for each of its UTF-16 units.
    const maxBytes = texts.reduce((sum, text) => sum + 3 * text.length, 0);
    const full = this.#length + maxBytes > CHUNK_BYTES ? this.take() : undefined;
    if (maxBytes > CHUNK_BYTES)
      return Buffer.concat([full ?? Buffer.alloc(0), ...texts.map((text) => Buffer.from(text))]);
    for (const text of texts) this.#length += this.#chunk.write(text, this.#length);
    return full;
  }

  /** The last, incomplete chunk. */
  take(): Buffer {
    const taken = this.#chunk.subarray(0, this.#length);
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#length = 0;
    return taken;
  }
}
