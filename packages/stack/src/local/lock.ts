import { linkSync, renameSync, rmSync } from 'node:fs';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import { isAlive, startTimeOf } from '../pids.ts';

type Holder = { pid: number; startTime?: string };

/**
 * One supervisor a data folder. The lock of a supervisor that is no longer there is taken over. Returns what releases it.
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

// Linked, not written in place: the file never lacks its holder.
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

// Of several who find the same dead holder one moves the file away; who moved a newer one by that puts it back.
function discard(file: string, holder: Holder | undefined): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside)?.pid !== holder?.pid) linkSync(aside, file);
  } catch {
    // Somebody else was faster.
  }
  rmSync(aside, { force: true });
}

// A pid alone may long be somebody else's.
function isHolding({ pid, startTime }: Holder): boolean {
  return isAlive(pid) && (startTime === undefined || startTimeOf(pid) === startTime);
}
