import { setTimeout as pause } from 'node:timers/promises';
import type { OwnPlatform } from '../support/own-platform.ts';

const KILLED = ['gateway', 'messaging'];

/** Kills the gateway and messaging in turn until it is stopped, each time with a pause after the process is back. */
export function startKilling(
  platform: OwnPlatform,
  pauseMs: number,
): { readonly kills: number; stop(): Promise<void> } {
  const stopping = new AbortController();
  let kills = 0;
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await platform.killAndAwait(KILLED[kills++ % KILLED.length] ?? '');
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
