import { setTimeout as delay } from 'node:timers/promises';
import { cells } from './cells.ts';
import type { Stage } from './metrics/stages.ts';
import { sumOfPlatform } from './usage.ts';

/** Measurements of one scenario; times in milliseconds. */
export type Figures = {
  name: string;
  count: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Microseconds of processor time an item, by process. */
  cpu: Record<string, number>;
  /** Context switches an item, by process. */
  switches?: Record<string, number>;
  /** Share of all processors, 0 to 1, that other programs took meanwhile. */
  foreign?: number;
  stages?: Stage[];
  /** Whether its stages and context switches are shown in tables of their own. */
  isDetailed?: boolean;
  note?: string;
};

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

/** 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]];
  return (below + above) / 2;
}

/** Runs `total` calls with `inFlight` of them under way at any time; resolves with the time each took. */
export async function drive(
  total: number,
  inFlight: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < total) {
      const index = next++;
      const began = performance.now();
      await call(index);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return times.sort((a, b) => a - b);
}

export type PacedCalls = {
  call(index: number): Promise<unknown>;
  /** Gets the time of each call, in milliseconds from when it was due. */
  note(index: number, ms: number): void;
};

/**
 * Calls at a fixed rate a second, however long they take. Resolves with their times from when each was due, the shortest
 * first, so that a pause of the server counts for all calls that were due in it.
 */
export async function drivePaced(
  { total, rate }: { total: number; rate: number },
  { call, note }: PacedCalls,
): Promise<number[]> {
  const began = performance.now();
  const times: number[] = [];
  const failures: unknown[] = [];
  const calls: Promise<void>[] = [];
  async function make(index: number, dueAt: number): Promise<void> {
    try {
      await call(index);
      const ms = performance.now() - dueAt;
      times.push(ms);
      note(index, ms);
    } catch (error) {
      failures.push(error);
    }
  }
  while (calls.length < total && failures.length === 0) {
    const due = Math.min(total, Math.floor(((performance.now() - began) * rate) / 1000) + 1);
    while (calls.length < due) calls.push(make(calls.length, began + (calls.length * 1000) / rate));
    await delay(1);
  }
  await Promise.all(calls);
  if (failures.length > 0) throw failures[0];
  return times.sort((a, b) => a - b);
}

/** Empty for what has no calls to time. */
function milliseconds(ms: number): string {
  return ms > 0 ? ms.toFixed(2) : '';
}

/** A Markdown table: a row a scenario, CPU in microseconds per item and process; `all` leaves the client out. */
export function table(rows: readonly Figures[]): string {
  const processes = [...new Set(rows.flatMap(({ cpu }) => Object.keys(cpu)))];
  const micros = processes.map((name) => `${name} µs`);
  const head = [
    'scenario',
    'items',
    'items/s',
    'p50 ms',
    'p99 ms',
    'all µs',
    ...micros,
    'switches',
    'foreign',
    'note',
  ];
  return cells(
    head,
    rows.map((row) => rowOf(row, processes)),
  );
}

function rowOf(row: Figures, processes: readonly string[]): string[] {
  const { name, count, seconds, p50, p99, cpu, switches, foreign, note } = row;
  return [
    name,
    String(count),
    Math.round(count / seconds).toLocaleString('en'),
    milliseconds(p50),
    milliseconds(p99),
    sumOfPlatform(cpu).toFixed(0),
    ...processes.map((process) => cpu[process]?.toFixed(0) ?? ''),
    switches ? sumOfPlatform(switches).toFixed(1) : '',
    foreign === undefined ? '' : `${Math.round(foreign * 100)} %`,
    note ?? '',
  ];
}

/** A Markdown table of one scenario: processor time and context switches an item, by process. */
export function processTable({ cpu, switches = {} }: Figures): string {
  const names = [...new Set([...Object.keys(cpu), ...Object.keys(switches)])];
  const rows = names.map((name) => [name, cpu[name]?.toFixed(0) ?? '0', switches[name]?.toFixed(2) ?? '0']);
  return cells(['process', 'µs an item', 'context switches an item'], rows);
}
