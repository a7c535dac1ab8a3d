import { Code, ConnectError } from '@connectrpc/connect';
import type { Lock } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import type { RunKey } from '../export/blob-key.ts';
import { isCurrentRun } from '../sql/export-run.ts';

const CHECK_EVERY_MS = 1000;

/** Aborts a run when its export is deleted, its lock is lost, or the service stops. */
export function watchRun(ctx: Context, run: RunKey, lock: Lock): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController();
  let cancelTimer: () => void = () => undefined;
  let stopped = false;

  async function check(): Promise<void> {
    const isValid = (await isCurrentRun(ctx.db, run).catch(() => true)) && (await lock.isHeld());
    if (!isValid) ended.abort(new ConnectError('the export run was cancelled', Code.Canceled));
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
