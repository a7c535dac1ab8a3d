import { pack } from 'tar-stream';

const BLOCK_BYTES = 512;

/** The bytes before the content of the only file of a tar. */
export async function tarHeader(file: { name: string; size: number; mtime: Date }): Promise<Buffer> {
  const tar = pack();
  // The caller writes the content itself, so the entry is never completed here.
  tar.entry(file).on('error', () => undefined);
  for await (const header of tar) return Buffer.from(header as Uint8Array);
  throw new Error('tar-stream produced no header');
}

/** The bytes after the content: zeros up to a whole block, and the two blocks that end a tar. */
export function tarTrailer(size: number): Buffer {
  return Buffer.alloc(((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES) + 2 * BLOCK_BYTES);
}
