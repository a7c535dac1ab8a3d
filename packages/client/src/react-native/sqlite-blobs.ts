import { StoreFullError, type Blobs } from '../store/store.ts';
import { fileFromUri, uriOf } from './file.ts';
import { BLOBS } from './sqlite-tables.ts';
import type { Queue } from './sqlite-queue.ts';

type Turns = { readonly read: Queue['read']; readonly change: Queue['transact'] };

/** Files by key: the URI of one that the device has, else its bytes. */
export function openBlobs(store: number, { read, change }: Turns): Blobs {
  return {
    async put(key, blob) {
      const uri = uriOf(blob) ?? null;
      const bytes = uri === null ? await bytesOf(blob) : null;
      const { name = null } = blob as { name?: string };
      await change((run) =>
        run(
          `insert or replace into ${BLOBS} (store, key, type, size, name, uri, bytes) values (?,?,?,?,?,?,?)`,
          [store, key, blob.type, blob.size, name, uri, bytes],
        ),
      );
    },
    async get(key) {
      const [row] = await read((run) =>
        run(`select type, size, name, uri, bytes from ${BLOBS} where store = ? and key = ?`, [store, key]),
      );
      return row && toBlob(row);
    },
    async remove(key) {
      await change((run) => run(`delete from ${BLOBS} where store = ? and key = ?`, [store, key]));
    },
  };
}

/** Without them the file is uploaded all the same, but not after the application was ended. */
async function bytesOf(blob: Blob): Promise<Uint8Array> {
  if (typeof blob.arrayBuffer === 'function') return new Uint8Array(await blob.arrayBuffer());
  throw new StoreFullError('this runtime does not give the bytes of a file');
}

/** Undefined if the file is gone, or is another one by now. */
async function toBlob(row: Readonly<Record<string, unknown>>): Promise<Blob | undefined> {
  const { uri, name, size, bytes } = row;
  const type = String(row['type']);
  if (typeof uri !== 'string') return new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
  const given = { type, ...(typeof name === 'string' && { name }) };
  const file = await fileFromUri(uri, given).catch(() => undefined);
  return file?.size === size ? file : undefined;
}
