import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { owner } from '@parley/stack/postgres/unprivileged';

/** `postgres` is that of its data and its log, `journal` that on which identity keeps what a restore has to repeat. */
export type Disk = 'nats' | 'blobs' | 'postgres' | 'journal';

/** File systems of a platform's folders that can be full. */
export type Disks = {
  /** Resolves when the disk has room again. */
  fillFor(disk: Disk, ms: number): Promise<void>;
  unmount(): void;
};

export const DISKS: readonly Disk[] = ['nats', 'blobs', 'postgres', 'journal'];
/** Size of a tmpfs, which takes as much memory as is stored in it. NATS divides the room that it finds among its streams. */
const SIZE = '4g';
/** Bytes that are left when a file system shrinks to what is used: it is written to meanwhile. */
const SLACK = 256 * 1024;
const FILL_AGAIN_MS = 20;

const run = promisify(execFile);

/** Undefined where this process may not mount file systems. They are unmounted when it exits, also when it is interrupted. */
export function mountDisks(dataDir: string): Disks | undefined {
  const mounted: string[] = [];
  const folderOf = (disk: Disk) => path.join(dataDir, disk);
  // A process that has not ended yet may use it.
  const unmount = () => mounted.splice(0).forEach((folder) => tryTo('umount', '--lazy', folder));
  process.once('exit', unmount);
  for (const disk of DISKS) {
    mkdirSync(folderOf(disk), { recursive: true });
    const options = `size=${SIZE}${disk === 'postgres' ? ownedByPostgres() : ''}`;
    if (!tryTo('mount', '-t', 'tmpfs', '-o', options, 'parley-faults', folderOf(disk))) {
      unmount();
      return undefined;
    }
    mounted.push(folderOf(disk));
  }
  return { fillFor: (disk, ms) => fillFor(folderOf(disk), ms), unmount };
}

function ownedByPostgres(): string {
  const as = owner();
  return as ? `,uid=${as.uid},gid=${as.gid},mode=0700` : '';
}

function tryTo(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Shrinks the file system to little more than is used, so that filling it takes no memory, and fills the rest with a file. */
async function fillFor(folder: string, ms: number): Promise<void> {
  const file = path.join(folder, 'fill');
  const end = Date.now() + ms;
  try {
    await shrink(folder);
    // What others delete is filled as well.
    while (Date.now() < end) {
      await fill(file);
      await pause(FILL_AGAIN_MS);
    }
  } finally {
    await resize(folder, SIZE);
    await rm(file, { force: true });
  }
}

async function shrink(folder: string): Promise<void> {
  for (let slack = SLACK; ; slack *= 2) {
    const { blocks, bfree, bsize } = await statfs(folder);
    // Refused when more has come into use meanwhile.
    const isDone = await resize(folder, String((blocks - bfree) * bsize + slack)).catch(() => undefined);
    if (isDone) return;
  }
}

function resize(folder: string, size: string): Promise<unknown> {
  return run('mount', ['-o', `remount,size=${size}`, folder]);
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a');
  try {
    for (let size = SLACK; size >= 1;) {
      const written = await handle.write(Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
        return undefined;
      });
      if (!written) size = Math.floor(size / 2);
    }
  } finally {
    await handle.close();
  }
}
