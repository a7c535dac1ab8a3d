import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { startTimeOf } from './pids.ts';

// Waits until the process at the other end of its input has ended, then ends the process groups that the folder's .pid
// files name. That takes a process of its own, since the guarded process may be killed with SIGKILL.
const GUARD_SCRIPT = `
trap '' HUP INT TERM
cat > /dev/null
each() {
  any=1
  for file in "$2"/*.pid; do
    [ -f "$file" ] && read -r pid < "$file" && kill -s "$1" -- "-$pid" 2> /dev/null && any=0
  done
  return $any
}
each QUIT "$1"
tries=0
while each 0 "$1" && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
each KILL "$1"
[ "$2" = keep ] || rm -rf "$1"
`;

export type GuardOptions = {
  /** Removes the folder too, unless it is to be kept. */
  keepFolder: boolean;
  /** Ends the process groups now instead of after this process. */
  now?: boolean;
};

/** Returns the guard's pid. */
export function startGuard(folder: string, { keepFolder, now = false }: GuardOptions): number {
  const args = ['-c', GUARD_SCRIPT, 'parley-guard', folder, keepFolder ? 'keep' : 'remove'];
  const guard = spawn('/bin/sh', args, {
    detached: true,
    cwd: '/',
    stdio: [now ? 'ignore' : 'pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  if (guard.pid === undefined) throw new Error('/bin/sh cannot be started');
  return guard.pid;
}

/** Makes the process group end with the guarded process from now on; the result releases it. */
export function guardProcess(folder: string, pid: number): () => void {
  const file = path.join(folder, `${pid}.pid`);
  // The start time tells a later reader whether the pid is still this process's.
  writeFileSync(file, `${pid}\n${startTimeOf(pid) ?? ''}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}
