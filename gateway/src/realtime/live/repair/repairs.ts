import { backoff } from '@parley/kit/flow/backoff';

export type Repair = {
  /** False once the repair's sockets have closed. */
  isWanted(): boolean;
  /** Rejects when the repair has to be tried again. */
  run(): Promise<void>;
};

/** Runs a few repairs at a time. A failed repair is tried again and does not delay the others. */
export type Repairs = {
  /** Does nothing if a repair with this key is waiting. */
  add(key: string, repair: Repair): void;
  stop(): void;
};

type Options = {
  failed(error: unknown): void;
  /** Called when a repair has succeeded. */
  repaired?(): void;
  /** Calls the function once after `ms` milliseconds; the result cancels it. */
  setTimer(ms: number, fn: () => void): () => void;
  /** Returns a number in 0 … 1. */
  random?: () => number;
};

const MAX_RUNNING = 8;
const RETRIES = { firstMs: 250, longestMs: 10_000 };

export function createRepairs({ failed, repaired, setTimer, random = Math.random }: Options): Repairs {
  const waiting = new Map<string, Repair>();
  const retries: { repair: Repair; attempt: number }[] = [];
  const timers = new Set<() => void>();
  let running = 0;
  let stopped = false;

  function next(): { repair: Repair; attempt: number } | undefined {
    for (const [key, repair] of waiting) {
      waiting.delete(key);
      return { repair, attempt: 1 };
    }
    return retries.shift();
  }

  function retryLater(repair: Repair, attempt: number): void {
    if (stopped) return;
    const delayMs = backoff(attempt - 1, RETRIES) * (1 + random());
    const cancel = setTimer(delayMs, () => {
      timers.delete(cancel);
      retries.push({ repair, attempt });
      work();
    });
    timers.add(cancel);
  }

  async function runRepair(repair: Repair, attempt: number): Promise<void> {
    try {
      if (repair.isWanted()) {
        await repair.run();
        repaired?.();
      }
    } catch (error) {
      failed(error);
      retryLater(repair, attempt + 1);
    }
    running -= 1;
    work();
  }

  function work(): void {
    while (running < MAX_RUNNING && !stopped) {
      const found = next();
      if (!found) return;
      running += 1;
      void runRepair(found.repair, found.attempt);
    }
  }

  return {
    add(key, repair) {
      if (!waiting.has(key)) waiting.set(key, repair);
      work();
    },
    stop() {
      stopped = true;
      for (const cancel of timers) cancel();
    },
  };
}
