import { setFlagsFromString } from 'node:v8';
import { startTimeout } from './clock/index.ts';
import { exitNow } from './exit.ts';
import { createLogger, type Logger } from './telemetry/log.ts';

export type Running = { address?: unknown; stop(): Promise<void> };

export type Stopper = {
  add(name: string, stop: () => unknown): void;
  stop(): Promise<void>;
};

const STOP_WITHIN_MS = 25_000;

// Before any code is optimised. docs/decisions/foundation.md#short-lived-objects-stay-young
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * Runs a process until SIGTERM or SIGINT, then stops it and exits with 0. Once started it logs the line `ready` with the
 * properties of `address`, at any log level, since supervisors wait for that line. Exits with 1, after one log line with
 * the reason, when it does not start, when it does not stop within 25 s or without an error, on a second signal, and on an
 * uncaught exception.
 */
export async function runProcess(name: string, start: () => Promise<Running>): Promise<void> {
  const log = createLogger({ service: name, level: 'info' });
  process.on('uncaughtException', (error) => exit(log, 'uncaught exception', { error }));
  process.on('unhandledRejection', (error) => exit(log, 'unhandled rejection', { error }));
  const starting = (async () => start())();
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) exit(log, 'exiting at once on a second signal', { signal });
      stopping = true;
      void shutDown(log, signal, starting);
    });
  }
  try {
    const running = await starting;
    if (!stopping) log.info(addressFields(running.address), 'ready');
  } catch (error) {
    exit(log, `cannot start: ${firstLine(error)}`, { code: codeOf(error) });
  }
}

/** Runs a task to its end, and exits with 0, or with 1 after one log line with the reason. */
export async function runTask(name: string, work: (log: Logger) => Promise<unknown>): Promise<never> {
  const log = createLogger({ service: name, level: 'info' });
  try {
    await work(log);
  } catch (error) {
    exit(log, firstLine(error), { code: codeOf(error) });
  }
  log.info('done');
  exitNow(0);
}

async function shutDown(log: Logger, signal: string, starting: Promise<Running>): Promise<void> {
  log.info({ signal }, 'stopping');
  startTimeout(STOP_WITHIN_MS, () => exit(log, `not stopped within ${STOP_WITHIN_MS / 1000} s`));
  try {
    await (await starting).stop();
    log.info('stopped');
    exitNow(0);
  } catch (error) {
    exit(log, 'failed to stop', { error });
  }
}

function addressFields(address: unknown): object {
  return typeof address === 'object' && address !== null ? address : { address };
}

function exit(log: Logger, message: string, fields: object = {}): never {
  log.fatal(fields, message);
  exitNow(1);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message || codeOf(error) || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Stops the added parts in reverse order, all of them even when some fail; then throws the failures. A second `stop` waits
 * for the first.
 */
export function createStopper(): Stopper {
  const opened: { name: string; stop: () => unknown }[] = [];
  let stopped: Promise<void> | undefined;
  return {
    add: (name, stop) => void opened.push({ name, stop }),
    stop: () => (stopped ??= closeAll(opened)),
  };
}

async function closeAll(opened: { name: string; stop: () => unknown }[]): Promise<void> {
  const errors: Error[] = [];
  for (let last = opened.pop(); last; last = opened.pop()) {
    try {
      await last.stop();
    } catch (error) {
      errors.push(new Error(`${last.name} did not stop: ${firstLine(error)}`, { cause: error }));
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map((error) => error.message).join('; '));
  if (errors[0]) throw errors[0];
}
