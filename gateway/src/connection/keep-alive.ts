import { startInterval } from '@parley/kit/clock';
import type { Hub } from './hub.ts';

const pingEveryMs = 30_000;
const silentForMs = 75_000;
const tickMs = 5_000;

/** Pings every socket every 30 s and drops one that was silent for 75 s. SPEC completions 6. */
export const startKeepAlive = (hub: Hub, now: () => number): { stop(): void } => {
  let pingedAt = now();
  const stop = startInterval(tickMs, () => {
    const at = now();
    const ping = at - pingedAt >= pingEveryMs;
    if (ping) pingedAt = at;
    for (const connection of hub.all()) {
      if (at - connection.heardAt > silentForMs) connection.terminate();
      else if (ping) connection.ping();
    }
  });
  return { stop };
};
