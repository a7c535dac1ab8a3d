import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ByteRange } from '../store.ts';
import { failureOf } from './files.ts';
import type { Manifest } from './manifest.ts';

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a range of the concatenated parts; default: all. */
export async function* readParts(
  folder: string,
  { parts, size }: Manifest,
  { start, end }: ByteRange = { start: 0, end: size - 1 },
): AsyncGenerator<Buffer> {
  let at = 0;
  for (const part of parts) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end + 1 - at, part.size);
    at += part.size;
    if (from < to) yield* readPart(path.join(folder, part.file), from, to);
    if (at > end) return;
  }
}

async function* readPart(file: string, from: number, to: number): AsyncGenerator<Buffer> {
  try {
    const handle = await open(file, 'r');
    try {
      for (let at = from; at < to;) {
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new Error(`part is shorter than its manifest says: ${file}`);
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw failureOf('cannot read', file, error);
  }
}
