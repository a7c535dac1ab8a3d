import { startInterval } from '@parley/kit/clock';
import type { Hub } from './hub.ts';

/** Milliseconds. */
export const PING_EVERY_MS = 30_000;
const MAX_SILENCE_MS = 75_000;
const TICK_MS = 5_000;

/** Pings every socket every 30 s and terminates a socket that was silent for 75 s. SPEC completions 6. */
export function startKeepAlive(hub: Hub, now: () => number): { stop(): void } {
  let pingedAt = now();
  const stop = startInterval(TICK_MS, () => {
    const at = now();
    const ping = at - pingedAt >= PING_EVERY_MS;
    if (ping) pingedAt = at;
    for (const connection of hub.all()) {
      if (at - connection.lastReceivedAt > MAX_SILENCE_MS) connection.terminate();
      else if (ping) connection.ping();
    }
  });
  return { stop };
}
