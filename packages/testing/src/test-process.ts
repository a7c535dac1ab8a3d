import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { readConfig } from './config.ts';
import { guardProcess } from '@parley/stack/guard';
import { processFolder } from '@parley/stack/process-folder';

export type TestProcess = {
  readonly pid: number;
  /** The fields of the log line that says `ready`. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Asks it to stop; resolves when it has ended. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
};

/**
 * Starts a process of the platform from its main file; resolves when it logs that it is ready. It ends with the process that
 * runs the test, however that ends. It has pipes of its own and not the output of the test's process, since Jest waits
 * for that to be closed by everything that has it: one process that was left behind would keep a run from ending.
 */
export async function startTestProcess(
  main: string,
  env: Record<string, string | undefined>,
): Promise<TestProcess> {
  const child = spawn(process.execPath, [main], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: readConfig().inherited.PATH, ...env },
  });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const release = guardProcess(processFolder(), pid);
  child.once('exit', release);
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const ready = await untilReady(child, main);
  // A test that fails before it stops the process does not wait for it either.
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) if (pipe instanceof Socket) pipe.unref();
  return { pid, ready, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
}

async function untilReady(child: ChildProcess, main: string): Promise<Record<string, unknown>> {
  const lines: string[] = [];
  for await (const text of createInterface({ input: child.stdout! })) {
    lines.push(text);
    const fields = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    if (fields['msg'] !== 'ready') continue;
    child.stdout!.resume();
    return fields;
  }
  throw new Error(`${main} did not start: ${lines.join('\n')}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill(signal);
  await once(child, 'exit');
}
