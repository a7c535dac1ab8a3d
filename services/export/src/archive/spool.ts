import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const CIPHER = 'aes-256-ctr';
const CHUNK_BYTES = 64 * 1024;
const BUFFER_BYTES = 256 * 1024;

export type Spool = {
  /** Size of the content before compression. */
  size: number;
  /** The content, gzipped. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Keeps a stream, gzipped, until its size is known. The file is unlinked at once and encrypted with a key that exists only in
 * this process's memory: no other process can read it, and nothing is left of it when this process ends.
 */
export async function fillSpool(
  folder: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<Spool> {
  const file = path.join(folder, `parley-spool-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  const secret = [randomBytes(32), randomBytes(16)] as const;
  let size = 0;
  async function* counted() {
    for await (const chunk of content) {
      size += chunk.length;
      yield chunk;
    }
  }
  try {
    await unlink(file);
    await pipeline(
      counted,
      // Buffers while the compressor's thread is busy with the previous piece.
      new PassThrough({ highWaterMark: BUFFER_BYTES }),
      // Speed matters more than size: the text is repetitive.
      createGzip({ level: 1, chunkSize: CHUNK_BYTES }),
      createCipheriv(CIPHER, ...secret),
      async (stored: AsyncIterable<Buffer>) => {
        for await (const chunk of stored) await handle.appendFile(chunk);
      },
      { signal },
    );
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    size,
    async *read() {
      const decipher = createDecipheriv(CIPHER, ...secret);
      for (let at = 0; ;) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
        if (bytesRead === 0) return;
        yield decipher.update(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    },
    close: () => handle.close(),
  };
}
