import { readFileSync, readdirSync } from 'node:fs';
import { connectInspector } from '../load/profile/inspector.ts';
import { ticksIn, type Measured } from '../load/usage.ts';

/** Resources that a process holds; the backends of Postgres count as one process. */
export type Held = {
  /** Resident memory in MiB; of Postgres without the memory that its backends share. */
  residentMiB: number;
  handles: number;
};

const OWN_MEMORY = /^RssAnon:\s+(\d+)/m;
const RESIDENT = /^VmRSS:\s+(\d+)/m;

/** Reads the resources of all processes; `client` is this process. A process that has ended meanwhile is left out. */
export function holdings({ processes }: Measured): Record<string, Held> {
  const names = new Map(processes.map(({ name, pid }) => [pid, name]));
  names.set(process.pid, 'client');
  const held: Record<string, Held> = {};
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readIfThere(`/proc/${pid}/stat`);
    const name = stat && (names.get(Number(pid)) ?? names.get(ticksIn(stat).ppid));
    if (!name) continue;
    const status = readIfThere(`/proc/${pid}/status`) ?? '';
    const kibibytes = Number((name === 'postgres' ? OWN_MEMORY : RESIDENT).exec(status)?.[1] ?? 0);
    const sum = (held[name] ??= { residentMiB: 0, handles: 0 });
    sum.residentMiB += kibibytes / 1024;
    sum.handles += countHandles(pid);
  }
  return held;
}

/** MiB that a Node process still refers to, after a collection of its garbage. */
export async function heapAfterCollection(inspectorPort: number): Promise<number> {
  const inspector = await connectInspector(inspectorPort);
  try {
    await inspector.call('HeapProfiler.collectGarbage');
    const { usedSize = 0 } = await inspector.call('Runtime.getHeapUsage');
    return usedSize / 2 ** 20;
  } finally {
    inspector.close();
  }
}

function countHandles(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
