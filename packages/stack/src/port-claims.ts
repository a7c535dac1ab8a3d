import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, startTimeOf } from './pids.ts';

/**
 * Claims a port for this process until its end; false when another process has it. A claim is a file with a name that only
 * this process uses, written before the claims of other processes are read: of two processes that want the same port at once,
 * at least one sees the other.
 */
export function claimPort(port: number): boolean {
  const folder = path.join(tmpdir(), `parley-ports-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true });
  const mine = `${port}-${process.pid}-${startTimeOf(process.pid) ?? ''}`;
  if (!create(path.join(folder, mine))) return false;
  const others = readdirSync(folder).filter((name) => name !== mine);
  const contested = removeDead(folder, others).some((name) => name.startsWith(`${port}-`));
  if (contested) rmSync(path.join(folder, mine));
  return !contested;
}

// No process uses the name of an ended process again, so any process may remove its claim. Returns the remaining claims.
function removeDead(folder: string, names: string[]): string[] {
  const byProcess = Map.groupBy(names, (name) => name.slice(name.indexOf('-') + 1));
  return [...byProcess].flatMap(([holder, claims]) => {
    const [pid, startTime] = holder.split('-');
    // The pid alone may belong to another process by now.
    if (isAlive(Number(pid)) && (startTimeOf(Number(pid)) ?? '') === startTime) return claims;
    for (const name of claims) rmSync(path.join(folder, name), { force: true });
    return [];
  });
}

function create(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
