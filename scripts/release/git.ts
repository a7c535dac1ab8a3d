import { execFileSync } from 'node:child_process';

/** The output of git, without the line break at its end. Throws when it fails. */
export function gitOutput(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 }).trimEnd();
}
