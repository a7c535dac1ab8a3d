import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, startTimeOf } from './pids.ts';

/**
 * Whether the port is this process's from now on, to its end. A claim is a file of a name that only this process can
 * write, made before the others' are read: of two who want the same port at once, one sees the other, or both do.
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

// Nobody writes a dead process's name again, so that anybody may remove it. Returns what is left.
function removeDead(folder: string, names: string[]): string[] {
  const byProcess = Map.groupBy(names, (name) => name.slice(name.indexOf('-') + 1));
  return [...byProcess].flatMap(([holder, claims]) => {
    const [pid, startTime] = holder.split('-');
    // A pid alone may long be somebody else's.
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
