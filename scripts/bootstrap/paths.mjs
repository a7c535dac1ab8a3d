import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

export function inRepository(...names) {
  return path.join(repository, ...names);
}

/** Node itself, not the shell script in .bin that starts it: signals and pids are then Node's own. */
export const nodeBinary = inRepository('node_modules', 'node', 'bin', 'node');
