import { startPlatform, type Platform, type PlatformOptions } from '../platform.ts';

export type RunOptions = Omit<PlatformOptions, 'signal' | 'report'> & {
  /** Told once everything is up. */
  announce(platform: Platform): Promise<string>;
};

// A signal reaches this process from the terminal and again from whoever started it: within this time it is one.
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs the platform in the foreground until it is told to stop, and exits: 0 when everything has stopped, 1 when the
 * platform does not start or somebody insists.
 */
export async function runUntilStopped({ announce, ...options }: RunOptions): Promise<never> {
  const stopping = stopOnSignals();
  try {
    const platform = await startPlatform({ ...options, signal: stopping, report: say });
    if (!stopping.aborted) say(await announce(platform));
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
      // The guard ends what is left.
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  // Whoever started this process is gone, and perhaps the terminal with it.
  process.on('disconnect', () => stopping.signal.aborted || ask());
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return stopping.signal;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
