import { linkSync, renameSync, rmSync } from 'node:fs';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import { isAlive, startTimeOf } from '../pids.ts';

type Holder = { pid: number; startTime?: string };

/**
 * Allows one supervisor for each data folder. The lock of a supervisor that has ended is taken over. The result releases it.
 */
export function lockFolder(root: string, file: string): () => void {
  const self: Holder = { pid: process.pid };
  const startTime = startTimeOf(process.pid);
  if (startTime !== undefined) self.startTime = startTime;
  while (!take(file, self)) {
    const holder = readHolder(file);
    if (holder && isHolding(holder)) {
      throw new Error(
        `Parley already runs on ${root} (process ${holder.pid}): stop that one first, or set PARLEY_DATA_DIR to another folder.`,
      );
    }
    discard(file, holder);
  }
  return () => rmSync(file, { force: true });
}

// Linked instead of written in place, so that the file always names its holder.
function take(file: string, self: Holder): boolean {
  const draft = `${file}.${process.pid}.new`;
  writeJsonFile(draft, self);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return readJsonFile<Holder>(file);
  } catch {
    return undefined;
  }
}

// Of several processes that find the same dead holder one moves the file away; a process that moved a newer file puts it back.
function discard(file: string, holder: Holder | undefined): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside)?.pid !== holder?.pid) linkSync(aside, file);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

// The pid alone may belong to another process by now.
function isHolding({ pid, startTime }: Holder): boolean {
  return isAlive(pid) && (startTime === undefined || startTimeOf(pid) === startTime);
}
