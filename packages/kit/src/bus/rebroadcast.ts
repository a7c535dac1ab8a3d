import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';

/** Rebroadcasts live messages that must not be missed, until the server is known to have them. */
export type Rebroadcast = {
  /** Publishes it a second later, by core NATS. */
  add(subject: string, payload: Uint8Array): void;
  /** Publishes what is left at once. */
  stop(): void;
};

type PendingMessage = { at: number; subject: string; payload: Uint8Array };

/** Long enough that a connection which lost the first one may be there again; a receiver is repaired within two seconds. */
const DELAY_MS = 1000;

/**
 * Says live messages once more, on subjects of their own: a receiver that has no numbers to notice a loss by learns what
 * it has not heard.
 */
export function createRebroadcast({ bus, clock }: { bus: Bus; clock: Clock }): Rebroadcast {
  let waiting: PendingMessage[] = [];
  let cancelTimer: (() => void) | undefined;

  function publish(until: number): void {
    cancelTimer = undefined;
    const later = waiting.findIndex(({ at }) => at > until);
    const due = later < 0 ? waiting : waiting.slice(0, later);
    waiting = later < 0 ? [] : waiting.slice(later);
    for (const { subject, payload } of due) bus.publishLive(subject, payload, { untilProven: true });
    const next = waiting[0];
    if (next) cancelTimer = clock.setTimer(next.at - until, () => publish(clock.now()));
  }

  return {
    add(subject, payload) {
      waiting.push({ at: clock.now() + DELAY_MS, subject, payload });
      cancelTimer ??= clock.setTimer(DELAY_MS, () => publish(clock.now()));
    },
    stop() {
      cancelTimer?.();
      publish(Infinity);
    },
  };
}
