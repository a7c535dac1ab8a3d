import { detach } from '../request-context.ts';

/** Time as a value, so that tests need not sleep. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary moment, for durations and deadlines. It does not jump when the machine's clock is set. */
  elapsed(): number;
  /** Calls `fn` once, `ms` from now, outside the current request; the result cancels the timer. */
  setTimer(ms: number, fn: () => void): () => void;
};

export type TestClock = Clock & {
  /** Advances the time and fires the timers due on the way, in order, each at its own time. */
  advance(ms: number): void;
  /** Sets the clock, as an administrator does; `elapsed` and the timers are not affected. */
  set(now: number): void;
};

/** setTimeout fires at once beyond 2^31 - 1 ms; longer delays take several timers. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const runDetached = detach();

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(ms, fn) {
    let timer = runDetached(() => arm(ms));
    function arm(rest: number): NodeJS.Timeout {
      if (rest <= LONGEST_TIMEOUT_MS) return setTimeout(fn, rest);
      return setTimeout(() => (timer = arm(rest - LONGEST_TIMEOUT_MS)), LONGEST_TIMEOUT_MS);
    }
    return () => clearTimeout(timer);
  },
};

/** Calls `fn` every `ms`, outside the current request, until the returned function is called. Does not keep the process alive. */
export function startInterval(ms: number, fn: () => void): () => void {
  const timer = runDetached(() => setInterval(fn, ms));
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Calls `fn` once, `ms` from now by the machine's clock, outside the current request; the result cancels the timer. Does not keep the
 * process alive.
 */
export function startTimeout(ms: number, fn: () => void): () => void {
  const timer = runDetached(() => setTimeout(fn, ms));
  timer.unref();
  return () => clearTimeout(timer);
}

export function createTestClock(start: number): TestClock {
  let time = start;
  let setBy = 0;
  const timers = new Set<{ at: number; fn: () => void }>();
  return {
    now: () => time + setBy,
    elapsed: () => time,
    setTimer(ms, fn) {
      const timer = { at: time + Math.max(0, ms), fn };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = time + ms;
      for (let due = findEarliest(); due && due.at <= end; due = findEarliest()) {
        timers.delete(due);
        time = due.at;
        runDetached(due.fn);
      }
      time = end;
    },
    set: (now) => void (setBy = now - time),
  };
  function findEarliest() {
    let first: { at: number; fn: () => void } | undefined;
    for (const timer of timers) if (!first || timer.at < first.at) first = timer;
    return first;
  }
}
