import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, notFound, unavailable } from '../failures.ts';

/** Makes the folders below the root one by one: a missing root is not created again. */
export async function makeFolder(root: string, key: string): Promise<void> {
  let folder = root;
  for (const step of key.split('/')) {
    folder = path.join(folder, step);
    try {
      await mkdir(folder);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw unavailable('cannot begin', error);
    }
  }
}

/** Writes a file so that it is complete after a crash, once this has resolved. Returns its size. */
export async function writeDurably(
  file: string,
  chunks: readonly Uint8Array[],
  durable: boolean,
): Promise<number> {
  try {
    const handle = await open(file, 'w');
    try {
      const size = await writeAll(handle, chunks);
      if (durable) await handle.datasync();
      return size;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw failureOf('cannot write', file, error);
  }
}

/** Continues after a short write: a disk that fills up may write a part before it fails. */
async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<number> {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size === 0) return 0;
  const { bytesWritten } = await handle.writev(chunks);
  if (bytesWritten === size) return size;
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  await handle.writeFile(rest);
  return size;
}

/** Makes the names of files in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The store's error for an error of the file system. */
export function failureOf(what: string, name: string, error: unknown): Error {
  return codeOf(error) === 'ENOENT' ? notFound(name, error) : unavailable(what, error);
}

/** Handles a rejection by throwing the store's error. */
export function asFailure(what: string, name: string): (error: unknown) => never {
  return (error) => {
    throw failureOf(what, name, error);
  };
}

/** Handles a rejection: throws Unavailable when the root is missing, which makes everything look absent, or else the failure. */
export function orMissingRoot(root: string): (failure: unknown) => Promise<never> {
  return async (failure) => {
    await requireRoot(root);
    throw failure;
  };
}

/** Fails with Unavailable when the root is missing. */
export async function requireRoot(root: string): Promise<void> {
  await stat(root).catch((error: unknown) => {
    throw unavailable('the folder is missing', error);
  });
}
