import { setTimeout as delay } from 'node:timers/promises';
import { signal, signalGroup } from '../../pids.ts';
import { createBackoff } from './backoff.ts';
import type { ProcessDefinition } from './process-definition.ts';
import { endRun, launchRun, type Run } from '../run.ts';

export type ProcessEnvironment = {
  logFile: string;
  runFolder: string;
  report(line: string): void;
  /** Called when the pid changes; it has none while it waits to be started again. */
  changed(): void;
};

export type Supervised = {
  readonly definition: ProcessDefinition;
  readonly pid: number | undefined;
  /** Resolves when the process is ready; fails when it ends repeatedly before that. */
  start(): Promise<void>;
  stop(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the present process, or the next one, is ready. */
  untilReady(): Promise<void>;
};

const START_ATTEMPTS = 3;

/** Keeps one process running from start() to stop(): restarts it whenever it ends in between. */
export function supervise(definition: ProcessDefinition, environment: ProcessEnvironment): Supervised {
  const backoff = createBackoff();
  const stopping = new AbortController();
  let run: Run | undefined;
  let launching: Promise<Run> | undefined;
  let kept: Promise<void> | undefined;

  const launch = (): Promise<Run> => {
    launching = launchRun(definition, environment).then((started) => (run = started));
    return launching;
  };

  const keep = async (): Promise<void> => {
    while (run && !stopping.signal.aborted) {
      const how = await run.ended;
      if (stopping.signal.aborted) return;
      const waitMs = backoff.next(Date.now() - run.startedAt);
      const when = waitMs === 0 ? 'at once' : `in ${waitMs} ms`;
      environment.report(`${definition.name} (process ${run.pid}) ${how}; it is started again ${when}`);
      await relaunch(waitMs);
    }
  };

  const relaunch = async (firstWaitMs: number): Promise<void> => {
    for (let waitMs = firstWaitMs; ; waitMs = backoff.next(0)) {
      if (waitMs > 0) {
        run = undefined;
        environment.changed();
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
      if (stopping.signal.aborted) return;
      try {
        announceReady(await launch(), definition, environment);
        return environment.changed();
      } catch (error) {
        environment.report(`${definition.name} cannot be started: ${(error as Error).message}`);
      }
    }
  };

  return {
    definition,
    get pid() {
      return run?.pid;
    },
    start: async () => {
      for (let attempt = 1; ; attempt++) {
        const started = await launch();
        try {
          await started.ready;
          break;
        } catch (error) {
          await endRun(started.pid, 'SIGKILL', 0);
          if (attempt === START_ATTEMPTS || stopping.signal.aborted) throw error;
        }
      }
      kept = keep();
    },
    stop: async () => {
      stopping.abort();
      await launching?.catch(() => {});
      if (run) await endRun(run.pid, definition.stopSignal, definition.stopWithinMs);
      await kept;
    },
    signal: (name) => {
      if (run) signal(run.pid, name);
    },
    untilReady: async () => {
      await launching;
      await run?.ready;
    },
  };
}

// Ends a process that hangs before it is ready, so that it is restarted.
function announceReady(run: Run, { name }: ProcessDefinition, environment: ProcessEnvironment): void {
  run.ready.then(
    () => environment.report(`${name} is up again (process ${run.pid}, ${Date.now() - run.startedAt} ms)`),
    () => signalGroup(run.pid, 'SIGKILL'),
  );
}
