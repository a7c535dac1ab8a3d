import { startTimeout } from '@parley/kit/runtime/clock';

/** The requests of all sockets that have not been answered yet. */
export type InFlight = {
  /** `failed` is called if `work` rejects; it must not throw. */
  add(work: Promise<void>, failed: (error: unknown) => void): void;
  /** Resolves when all requests have been answered, or after `withinMs`. */
  untilAnswered(withinMs: number): Promise<void>;
};

export function createInFlight(): InFlight {
  let count = 0;
  let onIdle: (() => void) | undefined;
  function done(): void {
    count -= 1;
    if (count === 0) onIdle?.();
  }
  return {
    add(work, failed) {
      count += 1;
      void work.catch(failed).then(done);
    },
    untilAnswered: async (withinMs) => {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const cancel = startTimeout(withinMs, resolve);
        onIdle = () => {
          cancel();
          resolve();
        };
      });
    },
  };
}
