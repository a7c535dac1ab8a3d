/** Notices that the leader is silent. Only a visible tab acts on it: timers of others are late, and one that sleeps need not lead. */
export type Watch = {
  /** Watches from now on. */
  start(): void;
  /** There was a sign of the leader. */
  sign(): void;
  stop(): void;
};

export type WatchOptions = {
  readonly silenceMs: number;
  /** Asks the leader for a sign; messages reach a hidden page although its timers are slowed down. */
  ping(): void;
  takeOver(): void;
};

const CHECKS = 4;

export function createWatch({ silenceMs, ping, takeOver }: WatchOptions): Watch {
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastSign = 0;
  let pingedAt: number | undefined;

  function check(): void {
    const now = performance.now();
    if (!isVisible()) pingedAt = undefined;
    else if (now - lastSign < silenceMs) return;
    else if (pingedAt === undefined) {
      // Also after this page itself was asleep: the leader gets its chance to answer.
      pingedAt = now;
      ping();
    } else if (now - pingedAt >= silenceMs / 2) {
      pingedAt = undefined;
      lastSign = now;
      takeOver();
    }
  }

  return {
    start() {
      lastSign = performance.now();
      pingedAt = undefined;
      timer ??= setInterval(check, silenceMs / CHECKS);
    },
    sign() {
      lastSign = performance.now();
      pingedAt = undefined;
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Also where there are no pages, as in a worker. */
function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible';
}
