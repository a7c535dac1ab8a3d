import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { until } from './until.ts';

/** False also for a zombie: it has ended, but its parent has not read its exit yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return stateOf(pid) !== 'Z';
}

/**
 * Jiffies since boot at which the process started: together with the pid it identifies a process. Undefined where
 * the system does not provide it.
 */
export function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Signals the process and everything else in its group; the process must have been started `detached`. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(-pid, name);
}

export async function untilDead(pid: number, withinMs: number): Promise<void> {
  await until(() => (isAlive(pid) ? undefined : true), {
    withinMs,
    everyMs: 10,
    what: `process ${pid} ends`,
  });
}

/**
 * Processes whose working folder is this one. Postgres' backends leave their parent's process group but stay in the
 * data folder, so this finds them when their parent has been killed.
 */
export function pidsWorkingIn(folder: string): number[] {
  return listPids().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0];
}

// The fields of /proc/PID/stat from the third on; the second, the name, may contain anything.
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
