import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A command that starts a process. It is data, so that tests and the supervisor run the same thing. */
export type Command = {
  file: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
};

/** Starts it at the head of a process group of its own, its output appended to the file, which only its owner can read. */
export function spawnToLog(command: Command, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(command.file, command.args, {
      cwd: command.cwd,
      detached: true,
      stdio: ['ignore', log, log],
      ...(command.env && { env: command.env }),
      ...(command.uid !== undefined && { uid: command.uid, gid: command.gid }),
    });
  } finally {
    closeSync(log);
  }
}
