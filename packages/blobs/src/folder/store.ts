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
  /** Base of the addresses, at which `serveFolder` is mounted, without a slash at its end. */
  url: string;
  /** The key that signs the addresses. */
  secret: string;
  /** Addresses signed with one of these are genuine too. */
  acceptedSecrets?: readonly string[];
  /** Default true. False: bytes stored just before the machine crashes may be lost; a crash of the process loses nothing. */
  durable?: boolean;
};

export type FolderStore = BlobStore & { readonly addresses: Addresses };

const PART_BYTES = 4 * 1024 * 1024;

/**
 * Stores each blob as a folder of its parts and a manifest that names them in order and is written last: parts are never copied
 * together, and files of failed attempts are not named. The root is created here and never again, so that a volume that is not
 * mounted is not taken for an empty one.
 */
export async function openFolder(options: FolderOptions): Promise<FolderStore> {
  const { root, durable = true } = options;
  const addresses = createAddresses(options);
  await mkdir(root, { recursive: true });
  function folderOf(key: string): string {
    return path.join(root, checkKey(key));
  }
  return {
    partBytes: PART_BYTES,
    addresses,
    async begin(key) {
      checkKey(key);
      await makeFolder(root, key);
      return randomUUID();
    },
    async append({ key, uploadId }, { number, chunks }) {
      // A name of its own for each attempt, so that a late attempt at the same part writes to another file.
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
