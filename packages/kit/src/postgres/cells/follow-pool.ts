import type { DirectWriter } from '../direct-writer.ts';
import type { OpenPool } from '../open-pool.ts';
import type { Moving } from './moving.ts';

/**
 * Writes directly where the cell is. Nothing is free before another statement has found it; after a move the first writes are refused by the gate, and
 * are left to transactions, which find the cell again.
 */
export function followPool(moving: Moving<OpenPool>, open: (pool: OpenPool) => DirectWriter): DirectWriter {
  const writers = new WeakMap<OpenPool, DirectWriter>();
  function current(): DirectWriter | undefined {
    const pool = moving.now;
    if (!pool) return undefined;
    let writer = writers.get(pool);
    if (!writer) writers.set(pool, (writer = open(pool)));
    return writer;
  }
  return {
    isFree: () => current()?.isFree() ?? false,
    write: (statements, settle) => current()?.write(statements, settle) ?? false,
    // Each is closed with its pool.
    close: () => Promise.resolve(),
  };
}
