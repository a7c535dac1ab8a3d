import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Unpacks Debian's nats-server into the folder, without root and without touching the system. Safe when several do it
 * at once: the binary appears by a rename.
 */
export async function unpackDebianPackage(folder: string, binary: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(path.join(folder, 'unpack-'));
  try {
    await download(work);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get downloaded nothing');
    await run('dpkg', ['-x', archive, 'root'], { cwd: work });
    await rename(path.join(work, 'root', 'usr', 'sbin', 'nats-server'), binary);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

// Where the system has no package lists (slim images), a private copy of them is fetched first.
async function download(work: string): Promise<void> {
  try {
    await run('apt-get', ['download', 'nats-server'], { cwd: work });
  } catch {
    await mkdir(path.join(work, 'lists', 'partial'), { recursive: true });
    await mkdir(path.join(work, 'cache', 'archives', 'partial'), { recursive: true });
    const lists = ['-o', `Dir::State::lists=${work}/lists`, '-o', `Dir::Cache=${work}/cache`];
    await run('apt-get', [...lists, 'update'], { cwd: work });
    await run('apt-get', [...lists, 'download', 'nats-server'], { cwd: work });
  }
}
