import type { Clock } from './index.ts';
import { systemClock } from './index.ts';

/** A process whose machine's clock is off by more than this is not ready. Milliseconds. */
export const MOST_OFF_MS = 2_000;

/** The time of another clock, in milliseconds since the epoch, and when it was requested and received, by `elapsed`. */
export type Reading = { theirs: number; askedAt: number; answeredAt: number };

/**
 * A server's time, as a clock of this process. Processes that follow one server agree on the time, whatever their machines' clocks say, and
 * none expires, leases or deletes by a wrong clock: docs/decisions/foundation.md#whose-time-counts
 */
export type FollowedClock = Clock & {
  /** Applies a reading. The clock moves only as far as the reading proves it wrong, so a slow answer changes nothing. */
  learn(reading: Reading): void;
  /** Milliseconds by which the machine's clock is ahead; 0 before the first reading. */
  machineAheadMs(): number;
};

/** Creates a clock that follows another one; before the first reading it is the machine's clock. */
export function createFollowedClock(machine: Clock = systemClock): FollowedClock {
  /** The followed clock's time minus `elapsed`; undefined before the first reading. */
  let ahead: number | undefined;
  // Whole milliseconds, as `Date.now()`.
  const now = (): number => (ahead === undefined ? machine.now() : Math.floor(machine.elapsed() + ahead));
  return {
    ...machine,
    now,
    learn({ theirs, askedAt, answeredAt }) {
      const known = ahead ?? machine.now() - machine.elapsed();
      ahead = Math.min(Math.max(known, theirs - answeredAt), theirs - askedAt);
    },
    machineAheadMs: () => machine.now() - now(),
  };
}

/** Whether the machine's clock is close enough to the followed one. */
export function isNear(clock: FollowedClock): boolean {
  return Math.abs(clock.machineAheadMs()) <= MOST_OFF_MS;
}
