import { readdirSync, readFileSync } from 'node:fs';
import type { PlatformState } from '@parley/stack/platform';

/** Processor time that a platform used for one item, by process; `client` is this process. */
export type Usage = {
  /** Microseconds of processor time. */
  micros: Record<string, number>;
  /** Context switches, voluntary and involuntary ones together, of all threads. */
  switches: Record<string, number>;
  /** Share of all processors, 0 to 1, that was taken by programs which are neither the platform nor this process. */
  foreign: number;
};

export type Measured = { processes: readonly Pick<PlatformState['processes'][number], 'name' | 'pid'>[] };

/** Totals since the start of the processes. */
type Totals = { seconds: Record<string, number>; switches: Record<string, number>; machine: MachineTicks };

/** Ticks of all processors together, of all programs; `busy` leaves the idle ones out. */
type MachineTicks = { busy: number; all: number };

const TICKS_PER_SECOND = 100;
const SWITCHES = /voluntary_ctxt_switches:\s+(\d+)/g;

/** Usage for one item between now and the call of the answer. */
export function measureUsage(state: Measured): (items: number) => Usage {
  const before = readTotals(state);
  return (items) => {
    const after = readTotals(state);
    return {
      micros: difference(after.seconds, before.seconds, 1e6 / items, 0.5),
      switches: difference(after.switches, before.switches, 1 / items, 0.005),
      foreign: foreignShare(before, after),
    };
  };
}

/** Processor seconds that the processes have used so far, by process. */
export function usedSeconds(state: Measured): Record<string, number> {
  return readTotals(state).seconds;
}

/** Sum over the platform's processes: all but the client's. */
export function sumOfPlatform(byProcess: Readonly<Record<string, number>>): number {
  return Object.entries(byProcess).reduce((sum, [name, used]) => (name === 'client' ? sum : sum + used), 0);
}

/** Context switches in the text of /proc/…/status: voluntary and involuntary ones together. */
export function switchesIn(status: string): number {
  return [...status.matchAll(SWITCHES)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Parent and processor ticks in the text of /proc/…/stat; the ticks of children that have ended are included. */
export function ticksIn(stat: string): { ppid: number; ticks: number } {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { ppid: fields[1] ?? 0, ticks: user + system + childUser + childSystem };
}

/** The first line of /proc/stat; time that the host took from this machine is busy. */
export function machineTicksIn(text: string): MachineTicks {
  const ticks = text.split('\n', 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, of) => sum + of, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { busy: all - idle - waiting, all };
}

function foreignShare(before: Totals, after: Totals): number {
  const sum = (of: Totals) => Object.values(of.seconds).reduce((total, seconds) => total + seconds, 0);
  const own = (sum(after) - sum(before)) * TICKS_PER_SECOND;
  const all = after.machine.all - before.machine.all;
  return all > 0 ? Math.max(0, (after.machine.busy - before.machine.busy - own) / all) : 0;
}

// The children of a process count as its own: the backends of Postgres.
function readTotals({ processes }: Measured): Totals {
  const { user, system } = process.cpuUsage();
  const seconds: Record<string, number> = { client: (user + system) / 1e6 };
  const switches: Record<string, number> = { client: readSwitches(String(process.pid)) };
  const names = new Map(processes.map(({ name, pid }) => [pid, name]));
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readIfThere(`/proc/${pid}/stat`);
    if (!stat) continue;
    const { ppid, ticks } = ticksIn(stat);
    const name = names.get(Number(pid)) ?? names.get(ppid);
    if (!name) continue;
    seconds[name] = (seconds[name] ?? 0) + ticks / TICKS_PER_SECOND;
    switches[name] = (switches[name] ?? 0) + readSwitches(pid);
  }
  return { seconds, switches, machine: machineTicksIn(readIfThere('/proc/stat') ?? '') };
}

// /proc/PID/status counts those of the first thread only.
function readSwitches(pid: string): number {
  const status = (thread: string) => readIfThere(`/proc/${pid}/task/${thread}/status`) ?? '';
  return readThreads(pid).reduce((sum, thread) => sum + switchesIn(status(thread)), 0);
}

function readThreads(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** `least`: what is smaller is left out. */
function difference(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  factor: number,
  least: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, total]): [string, number] => [name, (total - (before[name] ?? 0)) * factor])
      .filter(([, used]) => used >= least),
  );
}
