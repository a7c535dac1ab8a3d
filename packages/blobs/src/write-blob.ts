import type { BlobDescription, BlobStore, StoredPart } from './store.ts';

/** Stores a stream as a blob, which appears when the stream ends. Takes the memory of one part. Removes it if the stream fails. */
export async function writeBlob(
  store: BlobStore,
  key: string,
  source: AsyncIterable<Uint8Array>,
  description: BlobDescription,
): Promise<{ size: number }> {
  const upload = { key, uploadId: await store.begin(key, description) };
  const parts: StoredPart[] = [];
  let size = 0;
  let chunks: Uint8Array[] = [];
  let gathered = 0;
  async function flush(isLast: boolean): Promise<void> {
    parts.push(await store.append(upload, { number: parts.length + 1, chunks, staged: [], isLast }));
    chunks = [];
    gathered = 0;
  }
  try {
    for await (const chunk of source) {
      if (gathered >= store.partBytes) await flush(false);
      chunks.push(chunk);
      gathered += chunk.length;
      size += chunk.length;
    }
    if (gathered > 0) await flush(true);
    await store.complete(upload, parts, description);
    return { size };
  } catch (error) {
    await store.discard(key).catch(() => undefined);
    throw error;
  }
}
