import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Command } from '../command.ts';

/** Modes of folders and files that nobody but their owner may read. */
export const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;

/** A command that gives its files these modes, even where the program asks for wider ones. */
export function withPrivateFiles(command: Command): Command {
  const { file, args } = command;
  return { ...command, file: '/bin/sh', args: ['-c', 'umask 077; exec "$0" "$@"', file, ...args] };
}

/** Takes a folder, and everything below it that an earlier start may have left, from everybody but its owner. Links are not followed. */
export function makePrivate(place: string): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (!found || (!found.isDirectory() && !found.isFile())) return;
  const mode = found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE;
  if ((found.mode & OTHERS) !== 0 && isOwn(found)) chmodSync(place, mode);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(place)) makePrivate(path.join(place, name));
}

/** Whether this process may change the mode of a file, as only its owner and root may. */
function isOwn({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own === 0 || own === uid;
}
