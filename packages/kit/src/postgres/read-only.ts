import type pg from 'pg';
import type { Logger } from '../runtime/telemetry/log.ts';
import { isReadOnly } from './errors.ts';

/**
 * Watches for a server that takes no writes: a former primary, or a managed server whose disk is full. A session stays with its server,
 * and with the value of `default_transaction_read_only` that it began with. So a connection from that time is replaced before it is
 * used again; otherwise each of them would refuse a write once the server takes writes again.
 */
export type ReadOnlyWatch = {
  /** Notes a new connection of the pool. */
  opened(client: pg.ClientBase): void;
  /** Notes that a statement was refused. */
  refused(): void;
  /** Whether the connection is to be replaced: it was there when the server refused to write, and has not just been opened. */
  isStale(client: pg.ClientBase): boolean;
};

/** Interval in which each connection is replaced while the server is read-only. Milliseconds. */
const REPLACED_EVERY_MS = 1_000;

export function createReadOnlyWatch(now: () => number = () => performance.now()): ReadOnlyWatch {
  const openedAt = new WeakMap<pg.ClientBase, number>();
  let refusedAt = -Infinity;
  return {
    opened: (client) => void openedAt.set(client, now()),
    refused: () => void (refusedAt = now()),
    isStale(client) {
      const at = openedAt.get(client) ?? 0;
      return at <= refusedAt && now() - at >= REPLACED_EVERY_MS;
    },
  };
}

/**
 * Awaits a write with which a process begins, and which a timer repeats. While the database is read-only the process starts without
 * it, so that it answers reads.
 */
export async function unlessReadOnly(work: Promise<unknown>, log: Logger): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
    log.warn({ error }, 'the database is read-only; starting without writing to it');
  });
}
