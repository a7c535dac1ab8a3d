import { CLOSE_CODES, type Connection } from '../connection/connection.ts';
import type { LargePacketQueue } from './large-packet-queue.ts';

/** How long reading from a socket pauses once too many of its packets were refused. Milliseconds. */
export const PAUSE_MS = 1_000;
/** Most pauses in close succession; instead of a further pause the socket is closed. */
export const MOST_PAUSES = 5;
const FORGOTTEN_AFTER_MS = 10_000;

type Options = {
  connection: Pick<Connection, 'close'>;
  packetQueue: Pick<LargePacketQueue, 'pause'>;
  /** Counts a refusal of the user; false: there were too many. */
  countRefusal(): boolean;
  now(): number;
};

/**
 * Restrains a client that continues although its packets are refused: reading from its socket pauses, and finally stops. Call it for each
 * packet or frame that no other limit bounds. docs/protocol/websocket.md#too-many-packets
 */
export function createRestraint({ connection, packetQueue, countRefusal, now }: Options): () => void {
  let pauses = 0;
  let pausedUntil = -Infinity;
  return () => {
    if (countRefusal()) return;
    const at = now();
    // Further frames arrived together with those that caused the pause.
    if (at < pausedUntil) return;
    pauses = at < pausedUntil + FORGOTTEN_AFTER_MS ? pauses + 1 : 1;
    if (pauses > MOST_PAUSES) return connection.close(CLOSE_CODES.tryLater, 'rate_limit_exceeded');
    pausedUntil = at + PAUSE_MS;
    packetQueue.pause(PAUSE_MS);
  };
}
