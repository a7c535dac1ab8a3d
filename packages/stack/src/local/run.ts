import { once } from 'node:events';
import { spawnToLog } from '../command.ts';
import { guardProcess } from '../guard.ts';
import { withPrivateFiles } from './private.ts';
import { isAlive, signal, signalGroup, untilDead } from '../pids.ts';
import { lowerPriority } from '../priority.ts';
import type { ProcessDefinition } from './supervisor/process-definition.ts';
import { logEnd, untilReadyLine } from './supervisor/ready-line.ts';

/** One run of a process: `ended` resolves with its exit, `ready` fails when it ends before it is ready. */
export type Run = { pid: number; startedAt: number; ended: Promise<string>; ready: Promise<void> };

export async function launchRun(
  definition: ProcessDefinition,
  around: { logFile: string; runFolder: string },
): Promise<Run> {
  await definition.beforeStart?.();
  const command = await definition.command();
  const from = await logEnd(around.logFile);
  const startedAt = Date.now();
  const child = spawnToLog(withPrivateFiles(command), around.logFile);
  await once(child, 'spawn');
  const pid = child.pid!;
  const release = guardProcess(around.runFolder, pid);
  const ended = once(child, 'exit').then(([code, name]: unknown[]) => {
    release();
    signalGroup(pid, 'SIGKILL');
    return name ? `was ended by ${String(name)}` : `ended with code ${String(code)}`;
  });
  const given = () => (isAlive(pid) ? undefined : 'it ended');
  const ready = definition.untilReady?.(given) ?? untilReadyLine(around.logFile, from, given);
  ready.then(
    () => (definition.inBackground ? lowerPriority(pid) : undefined),
    () => {},
  );
  return { pid, startedAt, ended, ready };
}

export async function endRun(pid: number, name: NodeJS.Signals, withinMs: number): Promise<void> {
  signal(pid, name);
  await untilDead(pid, withinMs).catch(() => {});
  // The rest of its group, descendants included.
  signalGroup(pid, 'SIGKILL');
  await untilDead(pid, 5_000);
}
