import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs `work` under a lock, after waiting for its holder. A lock whose holder has ended is taken over. */
export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!take(file)) {
    const holder = Number(read(file));
    if (holder && !isAlive(holder)) {
      discard(file, holder);
      continue;
    }
    if (holder && !told)
      process.stderr.write(`Waiting for process ${holder}, which is installing or building …\n`);
    told ||= holder > 0;
    await delay(50);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

// Linked instead of written in place, so that the file always names its holder.
function take(file) {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

// Of several processes that find the same dead holder one moves the file away; a process that moved a newer file puts it back.
function discard(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (Number(read(aside)) !== holder) linkSync(aside, file);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
