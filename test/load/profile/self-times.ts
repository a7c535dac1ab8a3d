import { cells } from '../cells.ts';

/** The parts of a `.cpuprofile` that are read here; times in microseconds. */
export type CpuProfile = {
  nodes: readonly {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  samples?: readonly number[];
  timeDeltas?: readonly number[];
};

export type SelfTime = { name: string; micros: number };

const IDLE = new Set(['(idle)', '(root)']);

/** Processor time that each function used itself, the longest first; time without work is left out. */
export function selfTimes({ nodes, samples = [], timeDeltas = [] }: CpuProfile): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const totals = new Map<string, number>();
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (!frame || IDLE.has(frame.functionName)) return;
    const name = nameOf(frame);
    totals.set(name, (totals.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return [...totals].map(([name, micros]) => ({ name, micros })).sort((a, b) => b.micros - a.micros);
}

/** A Markdown table of the functions with the longest self times; shares are of the process's busy time. */
export function selfTimeTable(process: string, profile: CpuProfile, rows: number): string {
  const times = selfTimes(profile);
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

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  if (!url) return name;
  const file = url.split('/').slice(-2).join('/');
  return `${name} ${file}:${lineNumber + 1}`;
}
