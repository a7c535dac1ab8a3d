import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';
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
  const gathered = new GatheredBytes();
  async function flush(isLast: boolean): Promise<void> {
    const piece = { number: parts.length + 1, chunks: gathered.take(), staged: [], isLast };
    parts.push(await store.append(upload, piece));
  }
  try {
    for await (const chunk of source) {
      if (gathered.size >= store.partBytes) await flush(false);
      gathered.add(chunk);
      size += chunk.length;
    }
    if (gathered.size > 0) await flush(true);
    await store.complete(upload, parts, description);
    return { size };
  } catch (error) {
    await store.discard(key).catch(() => undefined);
    throw error;
  }
}
