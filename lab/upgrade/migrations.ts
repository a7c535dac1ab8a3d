import { readFileSync } from 'node:fs';

/** A migration, or the index of one partition, that a process applied. Milliseconds since the epoch. */
export type Applied = { service: string; migration: string; partition?: string; from: number; until: number };

type Line = { time: string; msg?: string; migration?: string; partition?: string };

const TOLD = new Set(['migration applied', 'partition got its index']);

/** Reads the migrations since a moment from the log of a process. Each begins when the one before it has ended. */
export function readMigrations(service: string, logFile: string, since: number): Applied[] {
  const applied: Applied[] = [];
  let from = since;
  for (const text of readFileSync(logFile, 'utf8').split('\n')) {
    const line = parse(text);
    const at = line ? Date.parse(line.time) : 0;
    if (!line || at < since) continue;
    const { msg = '', migration, partition } = line;
    if (migration && TOLD.has(msg))
      applied.push({ service, migration, ...(partition && { partition }), from, until: at });
    from = at;
  }
  return applied;
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
