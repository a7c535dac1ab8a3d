import type { Fault } from './run.ts';

const MAX_SHOWN = 1_500;

/** Describes how to try a case again, and how it failed. */
export function describeFault({ seed, index, what, given }: Fault): string {
  return `seed ${seed}, case ${index}: ${what}\n  ${JSON.stringify(given).slice(0, MAX_SHOWN)}`;
}

type Process = { name: string; pid: number };

/** Remembers which processes run now; the result throws when one of them is another process, or gone. */
export function createProcessCheck(list: () => readonly Process[]): () => void {
  const before = new Map(list().map(({ name, pid }) => [name, pid]));
  return () => {
    const now = new Map(list().map(({ name, pid }) => [name, pid]));
    const ended = [...before].filter(([name, pid]) => now.get(name) !== pid).map(([name]) => name);
    if (ended.length > 0) throw new Error(`a process ended: ${ended.join(', ')}`);
  };
}
