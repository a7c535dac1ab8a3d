import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformState } from '@parley/stack/platform';
import { until } from '../support/until.ts';

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

type Measured = { processes: readonly Pick<PlatformState['processes'][number], 'name' | 'pid'>[] };

/** Processor seconds used so far by each process of the platform, its children included, and by this client. */
const used = (state: Measured): Record<string, number> => {
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
export const measureCpu = (state: Measured): ((items: number) => Record<string, number>) => {
  const before = used(state);
  return (items) =>
    Object.fromEntries(
      Object.entries(used(state))
        .map(([name, seconds]): [string, number] => [name, ((seconds - (before[name] ?? 0)) * 1e6) / items])
        .filter(([, micros]) => micros >= 0.5),
    );
};

const IDLE_SHARE = 0.1;
const LOOK_MS = 500;

/** Resolves once all processes together use less than a tenth of a processor: what was asked of them is done. */
export async function untilIdle(state: Measured): Promise<void> {
  const seconds = (): number =>
    Object.entries(used(state)).reduce((sum, [name, of]) => (name === 'client' ? sum : sum + of), 0);
  let before = seconds();
  const look = async (): Promise<true | undefined> => {
    await delay(LOOK_MS);
    const now = seconds();
    const share = ((now - before) * 1_000) / LOOK_MS;
    before = now;
    return share < IDLE_SHARE || undefined;
  };
  await until('the platform is idle', look, 300_000);
}
