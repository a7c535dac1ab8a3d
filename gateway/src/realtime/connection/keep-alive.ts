import { limits } from '@parley/contract/limits';
import { startInterval } from '@parley/kit/runtime/clock';
import type { Hub } from './hub.ts';

/** Milliseconds. */
export const PING_EVERY_MS = limits.pingSeconds * 1000;
const MAX_SILENCE_MS = limits.silenceSeconds * 1000;
const TICK_MS = 5_000;

/**
 * Pings every socket at intervals, and terminates a socket that was silent for too long. docs/protocol/websocket.md#keep-alive-and-the-end
 */
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
