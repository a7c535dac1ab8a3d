import type { Logger } from '../../runtime/telemetry/log.ts';

/** Looks for work and does what it finds. It calls `found` as soon as it has found some. */
export type Lane = (signal: AbortSignal, found: () => void) => Promise<void>;

export type Lanes = {
  /** Lets a free lane look for work; if all are busy, the next free lane looks once more. */
  look(): void;
  /** Resolves when all lanes have ended; no lane starts any more. */
  stop(): Promise<void>;
};

/**
 * Concurrent lanes of one job. While there is no work, each `look` costs one lane's check: a lane that finds work lets the next one look,
 * so the number of active lanes follows the amount of work. Errors are logged.
 */
export function createLanes(lanes: readonly Lane[], { log }: { log: Logger }): Lanes {
  const stopping = new AbortController();
  const free = [...lanes];
  const running = new Set<Promise<void>>();
  let isWanted = false;

  async function run(lane: Lane): Promise<void> {
    try {
      await lane(stopping.signal, look);
    } catch (error) {
      log.error({ error }, 'job failed; will run again');
    }
  }

  function look(): void {
    if (stopping.signal.aborted) return;
    const lane = free.pop();
    isWanted = !lane;
    if (!lane) return;
    const ended = run(lane).finally(() => {
      running.delete(ended);
      free.push(lane);
      if (isWanted) look();
    });
    running.add(ended);
  }

  return {
    look,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
