import type { Clock } from '../../runtime/clock/index.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Database, Lock } from '../../postgres/index.ts';
import { detach } from '../../runtime/request-context.ts';

export type EveryOptions = {
  db: Database;
  /** Name of the job; only one run takes place at a time in the whole database. */
  name: string;
  intervalMs: number;
  /**
   * The longest pause. While runs do not call `found`, each pause is twice the one before, up to this; the next run after a call is
   * `intervalMs` later again. Default: `intervalMs`.
   */
  idleMs?: number;
  /** `signal` aborts when the job must stop; long work then ends at its next step. `found`: to be called when there was work. */
  run: (signal: AbortSignal, found: () => void) => Promise<void>;
  log: Logger;
  clock: Clock;
  /** Default true: one replica at a time runs the job; another takes over when it dies. */
  exclusive?: boolean;
  /**
   * Whether this replica can do the work at present, for example reach a required server; default: always. Otherwise it leaves the job to
   * another replica.
   */
  isAble?: () => boolean;
};

export type Job = {
  /** Runs the job now, or once more if it runs, if this replica holds the right to; resolves at the end of that run. */
  runNow(): Promise<void>;
  /** Stops the job; resolves when the current run has ended. */
  stop(): Promise<void>;
};

/**
 * Runs `run` at once and then `intervalMs` after each end, less often while there is no work; runs never overlap. Errors are logged, and
 * the job continues. The right to run is an advisory lock, verified before each run; since a connection may be lost during a run, jobs must
 * tolerate a second runner for a moment.
 */
export function every(options: EveryOptions): Job {
  const { name, clock, intervalMs, idleMs = intervalMs } = options;
  const log = options.log.child({ job: name });
  const runDetached = detach();
  const stopping = new AbortController();
  const right = createRight(options);
  let running: Promise<void> | undefined;
  let isWanted = false;
  let stopped = false;
  let pauseMs = intervalMs;
  let isWaiting = false;
  let cancelTimer: () => void = () => undefined;

  function found(): void {
    const isShorter = pauseMs > intervalMs;
    pauseMs = intervalMs;
    if (!isWaiting || !isShorter) return;
    cancelTimer();
    schedule(pauseMs);
  }

  async function run(): Promise<void> {
    pauseMs = Math.min(idleMs, 2 * pauseMs);
    try {
      if ((await right.isOurs()) && !stopped) await options.run(stopping.signal, found);
    } catch (error) {
      log.error({ error }, 'job failed; will run again');
    }
  }

  function runOnce(): Promise<void> {
    return (running ??= runDetached(run).finally(() => (running = undefined)));
  }

  /** A run that is under way may have looked before there was work: another one follows it. */
  async function runNow(): Promise<void> {
    isWanted = running !== undefined;
    await runOnce();
    if (!isWanted || stopped) return;
    isWanted = false;
    await runOnce();
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    isWaiting = true;
    cancelTimer = clock.setTimer(delayMs, () => {
      isWaiting = false;
      void runOnce().then(() => schedule(pauseMs));
    });
  }

  schedule(0);
  return {
    runNow,
    async stop() {
      stopped = true;
      stopping.abort();
      cancelTimer();
      await running;
      await right.release();
    },
  };
}

/** The right to run: an advisory lock, unless the job is not exclusive. */
function createRight({ db, name, exclusive = true, isAble }: EveryOptions) {
  let lock: Lock | undefined;
  async function release(): Promise<void> {
    await lock?.release();
    lock = undefined;
  }
  return {
    release,
    async isOurs(): Promise<boolean> {
      if (isAble?.() === false) {
        await release();
        return false;
      }
      if (!exclusive) return true;
      if (!(await lock?.isHeld())) lock = await db.tryLock(name);
      return lock !== undefined;
    },
  };
}
