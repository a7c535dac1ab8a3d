import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, notFound, unavailable } from '../failures.ts';
import { failureOf, requireRoot, syncFolder, writeDurably } from './files.ts';

export type Manifest = { size: number; parts: { file: string; size: number }[] };

function fileIn(folder: string): string {
  return path.join(folder, 'manifest.json');
}

/** Writes the manifest and renames it into place, which makes the blob appear. */
export async function writeManifest(
  folder: string,
  parts: Manifest['parts'],
  durable: boolean,
): Promise<void> {
  const manifest: Manifest = { size: parts.reduce((sum, part) => sum + part.size, 0), parts };
  const file = fileIn(folder);
  await writeDurably(`${file}.new`, [Buffer.from(JSON.stringify(manifest))], durable);
  try {
    await rename(`${file}.new`, file);
    if (durable) await syncFolder(folder);
  } catch (error) {
    throw failureOf('cannot complete', folder, error);
  }
}

/** Undefined when there is no blob. Fails with Unavailable when the root is missing. */
export async function findManifest(folder: string, root: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(folder), 'utf8')) as Manifest;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unavailable('cannot read', error);
  }
  await requireRoot(root);
  return undefined;
}

/** Fails with NotFound when there is no blob. */
export async function getManifest(folder: string, root: string, key: string): Promise<Manifest> {
  const manifest = await findManifest(folder, root);
  if (!manifest) throw notFound(key);
  return manifest;
}

/** Removes files of failed attempts. Files that cannot be removed now are removed with the blob. */
export async function removeUnnamed(folder: string, parts: Manifest['parts']): Promise<void> {
  const named = new Set([path.basename(fileIn(folder)), ...parts.map(({ file }) => file)]);
  const unnamed = (await readdir(folder)).filter((name) => !named.has(name));
  await Promise.allSettled(unnamed.map((name) => rm(path.join(folder, name))));
}
