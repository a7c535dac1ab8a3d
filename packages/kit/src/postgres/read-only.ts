import type pg from 'pg';
import type { Logger } from '../runtime/telemetry/log.ts';
import { isReadOnly } from './errors.ts';

/**
 * Detects a server that accepts no writes: a former primary, or a managed server whose disk is full. A session stays with its server, and
 * keeps the value of `default_transaction_read_only` it started with. So connections from that time are replaced before they are used
 * again; otherwise each would refuse a write once the server accepts writes again.
 */
export type ReadOnlyWatch = {
  /** Notes a new connection of the pool. */
  opened(client: pg.ClientBase): void;
  /** Notes that a statement was refused. */
  refused(): void;
  /** Whether the connection must be replaced: it existed when the server refused to write, and was not opened just now. */
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
 * Awaits a write that a process makes at its start and a timer repeats. While the database is read-only the process starts without it, so
 * that it can serve reads.
 */
export async function unlessReadOnly(work: Promise<unknown>, log: Logger): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
    log.warn({ error }, 'the database is read-only; starting without writing to it');
  });
}
