import type { Bus } from './index.ts';
import type { Clock } from '../runtime/clock/index.ts';

/** Publishes live messages that must not be missed a second time, and repeats them until the server has received them. */
export type Rebroadcast = {
  /** Publishes the message by core NATS a second later. */
  add(subject: string, payload: Uint8Array): void;
  /** Publishes the remaining messages at once. */
  stop(): void;
};

type PendingMessage = { at: number; subject: string; payload: Uint8Array };

/** Long enough for a lost connection to be re-established; receivers repair within two seconds. Milliseconds. */
export const REBROADCAST_AFTER_MS = 1000;

/**
 * Rebroadcasts live messages on separate subjects, so that receivers still get missed messages that have no sequence numbers to reveal the
 * loss.
 */
export function createRebroadcast({ bus, clock }: { bus: Bus; clock: Clock }): Rebroadcast {
  let waiting: PendingMessage[] = [];
  let cancelTimer: (() => void) | undefined;

  function publish(until: number): void {
    cancelTimer = undefined;
    const later = waiting.findIndex(({ at }) => at > until);
    const due = later < 0 ? waiting : waiting.slice(0, later);
    waiting = later < 0 ? [] : waiting.slice(later);
    for (const { subject, payload } of due) bus.publishLive(subject, payload, { untilConfirmed: true });
    const next = waiting[0];
    if (next) cancelTimer = clock.setTimer(next.at - until, () => publish(clock.elapsed()));
  }

  return {
    add(subject, payload) {
      waiting.push({ at: clock.elapsed() + REBROADCAST_AFTER_MS, subject, payload });
      cancelTimer ??= clock.setTimer(REBROADCAST_AFTER_MS, () => publish(clock.elapsed()));
    },
    stop() {
      cancelTimer?.();
      publish(Infinity);
    },
  };
}
