import { setTimeout as delay } from 'node:timers/promises';
import { CLOSE_CODES, type Connection } from './connection.ts';

/** A replay waits for the client to read when more than this is buffered. Bytes. */
const WRITE_AHEAD = 256 * 1024;
/** Least that a client must read within the stall time. Bytes. */
const LEAST_READ = 16 * 1024;
/** The buffer is polled at intervals that double from FIRST_LOOK_MS up to the longest. Milliseconds. */
const FIRST_LOOK_MS = 5;
const MAX_LOOK_MS = 100;

type Reader = Pick<Connection, 'isOpen' | 'buffered' | 'close'>;

export type ReadPace = {
  /** Whether more is buffered than may be written ahead. */
  isBehind(): boolean;
  /** Resolves when the client has read most of what was written, or the socket is closed; undefined: no need to wait. */
  untilRead(): Promise<void> | undefined;
};

/** Milliseconds. */
type Patience = {
  /** How long a client may read almost nothing. Milliseconds. */
  stallMs: number;
  /** Longest total of all waits. Milliseconds. */
  totalMs: number;
};

/** Waits for one socket's reader, and closes the socket with 1013 when that takes too long. */
export function createReadPace(connection: Reader, { stallMs, totalMs }: Patience): ReadPace {
  let left = totalMs;
  function isBehind(): boolean {
    return connection.isOpen && connection.buffered > WRITE_AHEAD;
  }

  async function wait(): Promise<void> {
    let progress = { buffered: connection.buffered, at: performance.now() };
    let lastLook = progress.at;
    for (let pause = FIRST_LOOK_MS; isBehind(); pause = Math.min(2 * pause, MAX_LOOK_MS)) {
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
