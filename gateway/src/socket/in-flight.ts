/** Requests of sockets that are not answered yet. */
export type InFlight = {
  /** `work` never rejects. */
  add(work: Promise<void>): void;
  /** Resolves when all are answered, at the latest after a while. */
  untilAnswered(withinMs: number): Promise<void>;
};

export const createInFlight = (): InFlight => {
  let count = 0;
  let onIdle: (() => void) | undefined;
  const done = (): void => {
    count -= 1;
    if (count === 0) onIdle?.();
  };
  return {
    add(work) {
      count += 1;
      void work.then(done);
    },
    untilAnswered: async (withinMs) => {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
};
