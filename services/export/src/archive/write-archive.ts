import { createCipheriv, createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { writeBlob } from '@parley/blobs/write-blob';
import type { BlobStore } from '@parley/blobs/store';
import type { ArchiveFields } from '../sql/export-run.ts';
import { encryptKey, newArchiveSecret, type ArchiveSecret, type ExportKey } from './secret.ts';
import { fillSpool, type Spool } from './spool.ts';
import { tarHeader, tarTrailer } from './tar.ts';

export type ArchiveInput = {
  /** The text of export.json. */
  json: AsyncIterable<Buffer>;
  exportKey: ExportKey;
  spoolFolder: string;
  blobs: BlobStore;
  blobKey: string;
  /** Modification time of the file in the archive, in milliseconds. */
  time: number;
  signal: AbortSignal;
};

/**
 * Stores an archive as a stream: AES-256-CBC of a gzipped tar with the single file export.json. A tar begins with the size of
 * its file, so the text is spooled first, already compressed: concatenated gzip files are a gzip file.
 */
export async function writeArchive(input: ArchiveInput): Promise<ArchiveFields> {
  const { exportKey, blobs, blobKey, signal } = input;
  const secret = newArchiveSecret();
  // First of all, so that a key that cannot encrypt fails before any work is done.
  const encryptedAesKey = encryptKey(exportKey, secret);
  const spool = await fillSpool(input.spoolFolder, input.json, signal);
  try {
    const hash = createHash('sha256');
    const chunks = encrypted(archiveOf(spool, input.time), secret, (chunk) => {
      signal.throwIfAborted();
      hash.update(chunk);
    });
    const { size } = await writeBlob(blobs, blobKey, chunks, { contentType: 'application/octet-stream' });
    return { size, sha256: hash.digest(), encryptedAesKey, aesIv: secret.iv };
  } finally {
    await spool.close();
  }
}

async function* archiveOf(spool: Spool, time: number): AsyncGenerator<Uint8Array> {
  const { size } = spool;
  yield gzipSync(await tarHeader({ name: 'export.json', size, mtime: new Date(time) }));
  yield* spool.read();
  yield gzipSync(tarTrailer(size));
}

async function* encrypted(
  source: AsyncIterable<Uint8Array>,
  { key, iv }: ArchiveSecret,
  inspect: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  for await (const chunk of source) {
    const out = cipher.update(chunk);
    inspect(out);
    yield out;
  }
  const last = cipher.final();
  inspect(last);
  yield last;
}
