import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startGuard } from '../guard.ts';
import { PRIVATE_FOLDER } from './private.ts';
import { isAlive, signalGroup, startTimeOf, untilDead } from '../pids.ts';

/** The folder with the pid files of this supervisor's processes; a guard ends them when the supervisor is killed. */
export function openRunFolder(runs: string): string {
  const folder = path.join(runs, `${process.pid}-${Date.now()}`);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  startGuard(folder, { keepFolder: false });
  return folder;
}

/** Ends processes that earlier supervisors of this data folder left running. Only the holder of the folder's lock may do this. */
export async function endLeftovers(runs: string): Promise<number> {
  let ended = 0;
  for (const run of list(runs)) {
    const pids = list(path.join(runs, run))
      .filter((name) => name.endsWith('.pid'))
      .map((name) => readPidFile(path.join(runs, run, name)))
      .filter((pid) => pid !== undefined);
    for (const pid of pids) signalGroup(pid, 'SIGKILL');
    await Promise.all(pids.map((pid) => untilDead(pid, 5_000)));
    rmSync(path.join(runs, run), { recursive: true, force: true });
    ended += pids.length;
  }
  return ended;
}

function readPidFile(file: string): number | undefined {
  const [pid, startTime] = readText(file).split('\n');
  const isSame = startTime === '' || startTimeOf(Number(pid)) === startTime;
  return Number(pid) > 1 && isAlive(Number(pid)) && isSame ? Number(pid) : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
