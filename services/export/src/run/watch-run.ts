import { Code, ConnectError } from '@connectrpc/connect';
import type { Lock } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { isCurrentRun, type Run } from '../sql/export-run.ts';

const CHECK_EVERY_MS = 1000;

/** Aborts a run whose export was deleted, whose lock was lost, or whose service stops. */
export function watchRun(ctx: Context, run: Run, lock: Lock): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController();
  let cancelTimer: () => void = () => undefined;
  let stopped = false;

  async function check(): Promise<void> {
    const isValid = (await isCurrentRun(ctx.db, run).catch(() => true)) && (await lock.isHeld());
    if (!isValid) ended.abort(new ConnectError('the run of an export was cancelled', Code.Canceled));
    else if (!stopped) schedule();
  }
  function schedule(): void {
    cancelTimer = ctx.clock.setTimer(CHECK_EVERY_MS, () => void check());
  }
  schedule();
  return {
    signal: AbortSignal.any([ended.signal, ctx.stopping.signal]),
    stop() {
      stopped = true;
      cancelTimer();
    },
  };
}
