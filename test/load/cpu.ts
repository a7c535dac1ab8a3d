import { readdirSync, readFileSync } from 'node:fs';
import type { PlatformState } from '@parley/stack/platform';

const ticksPerSecond = 100;

const ticksOf = (stat: string): { ppid: number; ticks: number } => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    ppid: Number(fields[1]),
    ticks: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]),
  };
};

const read = (pid: string): { ppid: number; ticks: number } | undefined => {
  try {
    return ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Processor seconds used so far by each process of the platform, its children included, and by this client. */
const used = (state: PlatformState): Record<string, number> => {
  const seconds: Record<string, number> = {
    client: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  };
  const names = new Map(state.processes.map(({ name, pid }) => [pid, name]));
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(pid);
    const name = stat && (names.get(Number(pid)) ?? names.get(stat.ppid));
    if (stat && name) seconds[name] = (seconds[name] ?? 0) + stat.ticks / ticksPerSecond;
  }
  return seconds;
};

/** Microseconds of processor time an item, by process, between now and the call of the answer. */
export const measureCpu = (state: PlatformState): ((items: number) => Record<string, number>) => {
  const before = used(state);
  return (items) =>
    Object.fromEntries(
      Object.entries(used(state))
        .map(([name, seconds]): [string, number] => [name, ((seconds - (before[name] ?? 0)) * 1e6) / items])
        .filter(([, micros]) => micros >= 0.5),
    );
};
