import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '../command.ts';

const NOBODY = 65_534;
const ENTERABLE_MODE = 0o001;

/** Postgres refuses to run as root; it then runs as the system user `nobody`, which owns the data folder. */
export function owner(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/**
 * The command as a user other than root. The user `nobody` may lack access to a folder above the data or the binaries, such
 * as /root; then the process keeps the single capability that grants access, and the folder is not changed.
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
      // Without this, access(2), which Postgres calls first, ignores the capability.
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
