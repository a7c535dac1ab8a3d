import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

// Others go first while processors are short: it gets a tenth of what one of them gets, and all that they leave.
const niceness = 10;

// Of all threads of a process; new ones have the priority of the one that makes them. Linux shares processors out among
// sessions first, where the priority of a session counts alone; systems that do not have no such file.
export function lowerPriority(pid: number): void {
  for (const thread of threadsOf(pid))
    unlessGone(() => setPriority(thread, Math.min(19, getPriority(thread) + niceness)));
  unlessGone(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)));
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

// A process may end at any moment, and a container may forbid it: it works as well with the usual priority.
function unlessGone(set: () => void): void {
  try {
    set();
  } catch {
    return;
  }
}
