import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '../command.ts';

const NOBODY = 65_534;
const ENTERABLE_MODE = 0o001;

/** Postgres refuses to run as root; then it runs as nobody, who owns the data folder. */
export function owner(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/**
 * The command for somebody who is not root. Nobody may not be allowed to enter a folder above the data or the binaries
 * (/root, say): then the process keeps the one capability that lets it through, instead of a change to that folder.
 */
export function unprivileged(command: Command, folders: string[]): Command {
  const as = owner();
  if (!as) return command;
  if (folders.every(isReachable)) return { ...command, ...as };
  return {
    ...command,
    file: 'setpriv',
    args: [
      `--reuid=${as.uid}`,
      `--regid=${as.gid}`,
      '--clear-groups',
      // Without this access(2), which Postgres asks first, disregards the capability.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      command.file,
      ...command.args,
    ],
  };
}

function isReachable(folder: string): boolean {
  for (let parent = path.dirname(path.resolve(folder)); ; parent = path.dirname(parent)) {
    if ((statSync(parent).mode & ENTERABLE_MODE) === 0) return false;
    if (parent === path.dirname(parent)) return true;
  }
}
