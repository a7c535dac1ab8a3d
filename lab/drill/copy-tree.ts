import { copyFile, lchown, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Copies a folder whose files change, come and go meanwhile, with their owners. `isLeftOut` gets paths below the folder; of a folder that
 * is left out the content is.
 */
export async function copyTree(
  from: string,
  to: string,
  isLeftOut: (file: string) => boolean = () => false,
): Promise<void> {
  await copy(from, to, (file) => isLeftOut(path.relative(from, file)));
}

async function copy(from: string, to: string, isLeftOut: (file: string) => boolean): Promise<void> {
  const stats = await ifThere(lstat(from));
  if (!stats) return;
  if (stats.isDirectory()) {
    await mkdir(to, { recursive: true, mode: stats.mode });
    const names = (await ifThere(readdir(from))) ?? [];
    for (const name of names) {
      if (!isLeftOut(path.join(from, name)))
        await copy(path.join(from, name), path.join(to, name), isLeftOut);
    }
  } else if (stats.isSymbolicLink()) {
    await symlink(await readlink(from), to);
  } else if (stats.isFile()) {
    await ifThere(copyFile(from, to));
  }
  if (process.getuid?.() === 0) await ifThere(lchown(to, stats.uid, stats.gid));
}

/** Undefined when the file has gone meanwhile. */
async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
