import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore } from '../store.ts';
import { checkKey } from '../failures.ts';
import { asFailure, makeFolder, orMissingRoot, writeDurably } from './files.ts';
import { findManifest, getManifest, removeUnnamed, writeManifest } from './manifest.ts';
import { readParts } from './read-parts.ts';
import { createAddresses, type Addresses } from './addresses.ts';

export type FolderOptions = {
  root: string;
  /** Base of the addresses, without a slash at its end: where `serveFolder` is mounted. */
  url: string;
  /** Signs the addresses. */
  secret: string;
  /** Default true; false: what was just stored may be lost when the machine, not only the process, goes down. */
  durable?: boolean;
};

export type FolderStore = BlobStore & { readonly addresses: Addresses };

const PART_BYTES = 4 * 1024 * 1024;

/**
 * Each blob is a folder of the parts as they came, and a manifest that names them in order and appears last: nothing is
 * ever copied together, and what a writer left that has lost its turn is not named. The root is made here and never
 * again, so that a volume that is not mounted is not taken for an empty one.
 */
export async function openFolder(options: FolderOptions): Promise<FolderStore> {
  const { root, durable = true } = options;
  const addresses = createAddresses(options);
  await mkdir(root, { recursive: true });
  const folderOf = (key: string) => path.join(root, checkKey(key));
  return {
    partBytes: PART_BYTES,
    addresses,
    async begin(key) {
      checkKey(key);
      await makeFolder(root, key);
      return randomUUID();
    },
    async append({ key, uploadId }, { number, chunks }) {
      // Of its own for each attempt: whoever is late with a part of that number writes elsewhere.
      const tag = `${uploadId}.${number}.${randomUUID()}`;
      const file = path.join(folderOf(key), tag);
      const size = await writeDurably(file, chunks, durable).catch(orMissingRoot(root));
      return { number, size, tag, staged: false };
    },
    async complete({ key }, parts) {
      const files = parts.map(({ tag, size }) => ({ file: tag, size }));
      await writeManifest(folderOf(key), files, durable).catch(orMissingRoot(root));
      await removeUnnamed(folderOf(key), files);
    },
    async discard(key) {
      await rm(folderOf(key), { recursive: true, force: true }).catch(asFailure('cannot remove', key));
    },
    async find(key) {
      const manifest = await findManifest(folderOf(key), root);
      return manifest && { size: manifest.size };
    },
    async read(key, range) {
      const folder = folderOf(key);
      const manifest = await getManifest(folder, root, key);
      return Readable.from(readParts(folder, manifest, range), { objectMode: false });
    },
    presign: (key, address) => Promise.resolve(addresses.sign(checkKey(key), address)),
  };
}
