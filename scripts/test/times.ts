import path from 'node:path';
import type { Run } from './summary.ts';

/** A line for each test file of the runs with the seconds that it took, the longest first. */
export function timesLines(runs: Run[], folder = process.cwd()): string[] {
  return runs
    .flatMap(({ results }) => results?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ file: path.relative(folder, name), ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
}
