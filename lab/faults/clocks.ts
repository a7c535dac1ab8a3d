import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The clocks of processes, each of which can be ahead of the machine's, or behind it. */
export type Clocks = {
  /** The environment of a process whose clock can be moved. */
  add(name: string, env: Record<string, string>): Record<string, string>;
  /** 0: back to the machine's. Milliseconds. */
  move(name: string, aheadMs: number): void;
  stop(): void;
};

const JUMPING = new URL('jumping-clock.ts', import.meta.url).href;

export function createClocks(): Clocks {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-clocks-'));
  const move = (name: string, aheadMs: number) => writeFileSync(path.join(folder, name), String(aheadMs));
  return {
    add(name, env) {
      move(name, 0);
      return {
        ...env,
        FAULTS_CLOCK_FILE: path.join(folder, name),
        NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import ${JUMPING}`,
      };
    },
    move,
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
