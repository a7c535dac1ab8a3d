import { setTimeout as delay } from 'node:timers/promises';
import { signal, signalGroup } from '../../pids.ts';
import { createBackoff, type Backoff } from './backoff.ts';
import type { ProcessDefinition } from './process-definition.ts';
import { endRun, launchRun, type Run } from '../run.ts';
import { untilUnhealthy } from './watch-health.ts';

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
  /** Ends the process at once; what it was doing is lost. */
  discard(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the present process, or the next one, is ready. */
  untilReady(): Promise<void>;
};

const START_ATTEMPTS = 3;

type State = {
  readonly definition: ProcessDefinition;
  readonly environment: ProcessEnvironment;
  readonly backoff: Backoff;
  readonly stopping: AbortController;
  /** The present process, or the last one until its successor is waited for. */
  run: Run | undefined;
  launching: Promise<Run> | undefined;
  kept: Promise<void> | undefined;
};

/** Keeps one process running from start() to stop(): restarts it whenever it ends in between. */
export function supervise(definition: ProcessDefinition, environment: ProcessEnvironment): Supervised {
  const state: State = {
    definition,
    environment,
    backoff: createBackoff(),
    stopping: new AbortController(),
    run: undefined,
    launching: undefined,
    kept: undefined,
  };
  return {
    definition,
    get pid() {
      return state.run?.pid;
    },
    start: () => start(state),
    stop: () => stop(state, definition.stopSignal),
    discard: () => stop(state, definition.discardSignal ?? 'SIGKILL'),
    signal: (name) => {
      if (state.run) signal(state.run.pid, name);
    },
    untilReady: async () => {
      await state.launching;
      await state.run?.ready;
    },
  };
}

async function start(state: State): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const started = await launch(state);
    try {
      await started.ready;
      break;
    } catch (error) {
      await endRun(started.pid, 'SIGKILL', 0);
      if (attempt === START_ATTEMPTS || state.stopping.signal.aborted) throw error;
    }
  }
  state.kept = keep(state);
}

async function stop(state: State, name: NodeJS.Signals): Promise<void> {
  state.stopping.abort();
  await state.launching?.catch(() => {});
  if (state.run) await endRun(state.run.pid, name, state.definition.stopWithinMs);
  await state.kept;
}

function launch(state: State): Promise<Run> {
  const { definition, environment } = state;
  state.launching = launchRun(definition, environment).then((started) => (state.run = started));
  return state.launching;
}

/** Restarts the process until it is to stop. */
async function keep(state: State): Promise<void> {
  const { definition, environment, backoff, stopping } = state;
  while (state.run && !stopping.signal.aborted) {
    const { pid, ended, startedAt } = state.run;
    const over = new AbortController();
    // A process that is stopping need not answer any more.
    const watched = AbortSignal.any([over.signal, stopping.signal]);
    void endUnhealthy(state.run, definition, environment, watched).catch((error: unknown) =>
      environment.report(`${definition.name} cannot be watched: ${String(error)}`),
    );
    const how = await ended;
    over.abort();
    if (stopping.signal.aborted) return;
    const waitMs = backoff.next(Date.now() - startedAt);
    const when = waitMs === 0 ? 'at once' : `in ${waitMs} ms`;
    environment.report(`${definition.name} (process ${pid}) ${how}; it is started again ${when}`);
    await relaunch(state, waitMs);
  }
}

async function relaunch(state: State, firstWaitMs: number): Promise<void> {
  const { definition, environment, backoff, stopping } = state;
  for (let waitMs = firstWaitMs; ; waitMs = backoff.next(0)) {
    if (waitMs > 0) {
      state.run = undefined;
      environment.changed();
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    if (stopping.signal.aborted) return;
    try {
      announceReady(await launch(state), definition, environment);
      return environment.changed();
    } catch (error) {
      environment.report(`${definition.name} cannot be started: ${(error as Error).message}`);
    }
  }
}

// Ends a process that runs but does not work, so that it is restarted.
async function endUnhealthy(
  { pid, ready }: Run,
  { name, checkHealth }: ProcessDefinition,
  environment: ProcessEnvironment,
  over: AbortSignal,
): Promise<void> {
  const isReady = await ready.then(
    () => true,
    () => false,
  );
  if (!isReady || !checkHealth) return;
  const failure = await untilUnhealthy(checkHealth, over);
  if (!failure) return;
  environment.report(`${name} (process ${pid}) does not work: ${failure.message}`);
  signalGroup(pid, 'SIGKILL');
}

// Ends a process that hangs before it is ready, so that it is restarted.
function announceReady(run: Run, { name }: ProcessDefinition, environment: ProcessEnvironment): void {
  run.ready.then(
    () => environment.report(`${name} is up again (process ${run.pid}, ${Date.now() - run.startedAt} ms)`),
    () => signalGroup(run.pid, 'SIGKILL'),
  );
}
