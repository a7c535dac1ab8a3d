import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

// Runs after other processes while processors are short: gets a tenth of the share of each, and all the time that they leave.
const NICENESS = 10;

const ATTEMPTS = 10;
const PAUSE_MS = 110;

/**
 * Lowers the priority of all threads of a process; new threads inherit it. Linux shares processors out among
 * sessions first, where the priority of a session counts alone; systems that do not have no such file. Errors are
 * ignored: the process works as well with the usual priority.
 */
export async function lowerPriority(pid: number): Promise<void> {
  for (const thread of threadsOf(pid))
    codeOf(() => setPriority(thread, Math.min(19, getPriority(thread) + NICENESS)));
  const lowerSession = () => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  // All users but root together may do it once in 100 ms.
  for (let attempt = 1; codeOf(lowerSession) === 'EAGAIN' && attempt < ATTEMPTS; attempt++)
    await delay(PAUSE_MS + 50 * Math.random(), undefined, { ref: false });
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

// Errors are expected, since a process may end at any moment.
function codeOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
