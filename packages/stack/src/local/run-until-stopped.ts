import { startPlatform, type Platform, type PlatformOptions } from '../platform.ts';

export type RunOptions = Omit<PlatformOptions, 'signal' | 'report'> & {
  /** Called when all processes are ready. */
  announce(platform: Platform): Promise<string>;
};

// A signal comes from the terminal and again from the parent process: within this time both count as one.
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs the platform in the foreground until a signal stops it, and exits: 0 when everything has stopped, 1 when the platform
 * does not start or a second signal comes.
 */
export async function runUntilStopped({ announce, ...options }: RunOptions): Promise<never> {
  const stopping = stopOnSignals();
  try {
    const platform = await startPlatform({ ...options, signal: stopping, report: say });
    if (!stopping.aborted) say(await announce(platform));
    if (options.site && !stopping.aborted) platform.buildPages();
    await untilAborted(stopping);
    await platform.stop();
  } catch (error) {
    if (!stopping.aborted) fail(error);
  }
  say('Stopped.');
  process.exit(0);
}

export function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  let askedAt = 0;
  const ask = () => {
    if (!stopping.signal.aborted) {
      askedAt = Date.now();
      say('Stopping …');
      stopping.abort();
    } else if (Date.now() - askedAt > SAME_SIGNAL_MS) {
      // The guard ends the remaining processes.
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  // The parent process has ended, and perhaps the terminal with it.
  process.on('disconnect', () => stopping.signal.aborted || ask());
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return stopping.signal;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
