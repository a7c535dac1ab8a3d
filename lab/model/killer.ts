import { setTimeout as pause } from 'node:timers/promises';
import type { OwnPlatform } from '../../test/support/own-platform.ts';

const KILLED = ['gateway', 'messaging'];

/** A pause between two kills is at least so many times as long as the process was away, so that the platform is available for most of the time on slow machines, too. */
const LEAST_PAUSE = 3;

/**
 * Kills the gateway and messaging in turn until it is stopped, each time with a pause after the process is back: `pauseMs`, or longer
 * where processes take long to start.
 */
export function startKilling(
  platform: OwnPlatform,
  pauseMs: number,
): { readonly kills: number; stop(): Promise<void> } {
  const stopping = new AbortController();
  let kills = 0;
  async function work(): Promise<void> {
    let awayMs = 0;
    while (!stopping.signal.aborted) {
      const nextMs = Math.max(pauseMs, awayMs * LEAST_PAUSE);
      await pause(nextMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const killedAt = performance.now();
      await platform.killAndAwait(KILLED[kills++ % KILLED.length] ?? '');
      awayMs = performance.now() - killedAt;
    }
  }
  const working = work();
  // `stop` says what went wrong; until then the scenarios show it.
  working.catch(() => undefined);
  return {
    get kills() {
      return kills;
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
