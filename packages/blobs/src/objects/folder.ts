import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkKey, codeOf, unavailable } from '../failures.ts';
import {
  asFailure,
  makeFolder,
  orMissingRoot,
  requireRoot,
  syncFolder,
  writeDurably,
} from '../folder/files.ts';
import type { Objects } from './objects.ts';

/** The name of a file that is being written begins so, which no key does. */
const UNFINISHED = '~';

/** Objects as files below a folder, which is created here and never again: a volume that is not mounted is not an empty one. */
export async function openFolderObjects(root: string, { durable = true } = {}): Promise<Objects> {
  await mkdir(root, { recursive: true });
  const fileOf = (key: string) => path.join(root, checkKey(key));
  return {
    put: (key, bytes) => putFile({ root, file: fileOf(key), durable }, bytes).catch(orMissingRoot(root)),
    get: (key) => readFile(fileOf(key)).catch(asFailure('cannot read', key)).catch(orMissingRoot(root)),
    async list({ prefix, after, limit }) {
      await requireRoot(root);
      const keys = await filesBelow(root, prefix);
      return keys.filter((key) => key.startsWith(prefix) && key > after).slice(0, limit);
    },
    async remove(key) {
      await rm(fileOf(key), { force: true }).catch(asFailure('cannot remove', key));
    },
  };
}

type Target = { root: string; file: string; durable: boolean };

/** The file has its name only once it is complete. */
async function putFile({ root, file, durable }: Target, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  const unfinished = path.join(folder, UNFINISHED + randomUUID());
  if (folder !== path.resolve(root)) await makeFolder(root, path.relative(root, folder));
  await writeDurably(unfinished, [bytes], durable);
  await rename(unfinished, file).catch(asFailure('cannot write', file));
  if (durable) await syncFolder(folder).catch(asFailure('cannot write', file));
}

/** Keys in order. Only the folder that the prefix names is read, with all below it. */
async function filesBelow(root: string, prefix: string): Promise<string[]> {
  const folder = path.join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1));
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(UNFINISHED));
    return files
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw unavailable('cannot list', error);
  }
}
