import { cells } from '../cells.ts';

/** A function of a profile; lines and columns count from 0. */
export type CallFrame = { functionName: string; url: string; lineNumber: number; columnNumber: number };

/** The parts of a `.cpuprofile` that are read here; times in microseconds. */
export type CpuProfile = {
  nodes: readonly { id: number; callFrame: CallFrame }[];
  samples?: readonly number[];
  timeDeltas?: readonly number[];
};

export type SelfTime = { name: string; micros: number };

/** File and line of a function, as shown. */
export type Locate = (frame: CallFrame) => string;

const IDLE = new Set(['(idle)', '(root)']);

/** Processor time that each function used itself, the longest first; time without work is left out. */
export function selfTimes(
  { nodes, samples = [], timeDeltas = [] }: CpuProfile,
  locate: Locate = inBundle,
): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const totals = new Map<string, number>();
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (!frame || IDLE.has(frame.functionName)) return;
    const name = `${frame.functionName || '(anonymous)'} ${locate(frame)}`.trim();
    totals.set(name, (totals.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return [...totals].map(([name, micros]) => ({ name, micros })).sort((a, b) => b.micros - a.micros);
}

/** A Markdown table of the functions with the longest self times; shares are of the process's busy time. */
export function selfTimeTable(process: string, times: readonly SelfTime[], rows: number): string {
  const total = times.reduce((sum, { micros }) => sum + micros, 0);
  const lines = times
    .slice(0, rows)
    .map(({ name, micros }) => [
      name,
      `${((micros / total) * 100).toFixed(1)} %`,
      `${Math.round(micros / 1000)} ms`,
    ]);
  return cells([`${process}: function`, 'self', `of ${Math.round(total / 1000)} ms`], lines);
}

/** The last two parts of the path and the line in the file that ran; empty for functions of the engine. */
export function inBundle({ url, lineNumber }: CallFrame): string {
  return url && `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
}
