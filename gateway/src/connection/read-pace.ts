import { setTimeout as delay } from 'node:timers/promises';
import { CLOSE_CODES, type Connection } from './connection.ts';

/** A replay waits for the client to read when more than this is on its way. Bytes. */
const WRITE_AHEAD = 256 * 1024;
/** What a client has to read within the stall time. Bytes. */
const LEAST_READ = 16 * 1024;
/** How soon it looks again: seldom where a client takes long. */
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;

type Reader = Pick<Connection, 'isOpen' | 'buffered' | 'close'>;

export type ReadPace = {
  /** Whether the client has more to read than may be written ahead. */
  isBehind(): boolean;
  /** Resolves when the client has read most of what was written, or the socket is closed; undefined: it has already. */
  untilRead(): Promise<void> | undefined;
};

/** Milliseconds. */
type Patience = {
  /** For a reader that reads next to nothing. */
  stallMs: number;
  /** For one that reads too slowly, all its waits together. */
  totalMs: number;
};

/** Keeps the pace of one socket's reader, and closes the socket with 1013 when patience with it ends. */
export function createReadPace(connection: Reader, { stallMs, totalMs }: Patience): ReadPace {
  let left = totalMs;
  function isBehind(): boolean {
    return connection.isOpen && connection.buffered > WRITE_AHEAD;
  }

  async function wait(): Promise<void> {
    let progress = { buffered: connection.buffered, at: performance.now() };
    let lastLook = progress.at;
    for (let pause = FIRST_LOOK_MS; isBehind(); pause = Math.min(2 * pause, LONGEST_LOOK_MS)) {
      await delay(pause);
      const now = performance.now();
      left -= now - lastLook;
      lastLook = now;
      if (connection.buffered <= progress.buffered - LEAST_READ)
        progress = { buffered: connection.buffered, at: now };
      const isTooSlow = now - progress.at >= stallMs || left <= 0;
      if (isTooSlow && isBehind()) connection.close(CLOSE_CODES.slowReader, 'slow reader');
    }
  }

  return { isBehind, untilRead: () => (isBehind() ? wait() : undefined) };
}
