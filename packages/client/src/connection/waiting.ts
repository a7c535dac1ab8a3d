/** Waits that end early when the network shows a sign of life. */
export type Waiting = {
  /** Resolves after `ms` milliseconds, at a `wake`, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  wake(): void;
};

export function createWaiting(): Waiting {
  const sleepers = new Set<() => void>();
  return {
    wait: (ms, signal) =>
      new Promise((resolve) => {
        function end(): void {
          clearTimeout(timer);
          sleepers.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        }
        const timer = setTimeout(end, ms);
        sleepers.add(end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    wake() {
      for (const end of [...sleepers]) end();
    },
  };
}

/** How long to wait before the next attempt: growing, with a random half. `tries` counts failed attempts from 1. */
export function backoff(tries: number, { first, longest }: { first: number; longest: number }): number {
  const full = Math.min(longest, first * 2 ** Math.min(tries - 1, 20));
  return full / 2 + (Math.random() * full) / 2;
}
