import { once } from 'node:events';
import type { Command } from '@parley/stack/command';
import { spawnToLog } from '@parley/stack/command';
import { guardProcess } from '@parley/stack/guard';
import { isAlive, signal, signalGroup, untilDead } from '@parley/stack/pids';
import { until } from '@parley/stack/until';

/** `pid` changes with a restart; address, port and data stay. */
export type TestServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Cleanly; the data stays for a restart(). */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, stopping it first if it runs; resolves when it answers. */
  restart(): Promise<void>;
  /** Has it read its configuration and certificates again. */
  reload(): Promise<void>;
};

export type ServerDescription = {
  url: string;
  port: number;
  logFile: string;
  guardFolder: string;
  stopSignal: NodeJS.Signals;
  command(): Promise<Command>;
  beforeStart?(): Promise<void>;
  beforeReload?(): Promise<void>;
  untilReady(given: () => string | undefined): Promise<void>;
};

export async function startServer(description: ServerDescription): Promise<TestServer> {
  let pid = await launch(description);
  const end = async (name: NodeJS.Signals) => {
    if (!isAlive(pid)) return;
    signal(pid, name);
    await untilDead(pid, 10_000);
  };
  return {
    url: description.url,
    port: description.port,
    get pid() {
      return pid;
    },
    stop: () => end(description.stopSignal),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end(description.stopSignal);
      pid = await relaunch(description);
    },
    reload: async () => {
      await description.beforeReload?.();
      signal(pid, 'SIGHUP');
    },
  };
}

/**
 * Starts it again. The first attempts may end at once: children of a killed server hold its memory until they have noticed that
 * it is gone.
 */
function relaunch(description: ServerDescription): Promise<number> {
  return until(() => launch(description), {
    withinMs: 20_000,
    everyMs: 250,
    what: 'the server is started again',
  });
}

async function launch(description: ServerDescription): Promise<number> {
  await description.beforeStart?.();
  const child = spawnToLog(await description.command(), description.logFile);
  await once(child, 'spawn');
  const pid = child.pid!;
  const release = guardProcess(description.guardFolder, pid);
  child.once('exit', release);
  child.unref();
  try {
    await description.untilReady(() => (isAlive(pid) ? undefined : `it ended, see ${description.logFile}`));
  } catch (error) {
    signalGroup(pid, 'SIGKILL');
    throw error;
  }
  return pid;
}
