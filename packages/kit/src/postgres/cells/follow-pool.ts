import type { DirectWriter } from '../direct-writer.ts';
import type { OpenPool } from '../open-pool.ts';
import type { Moving } from './moving.ts';

/**
 * Direct writes to a cell at its present place. The writer is not free before another statement has found the cell; after a move the gate
 * refuses the first writes, which are left to transactions, and these find the cell again.
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
    // Each writer is closed with its pool.
    close: () => Promise.resolve(),
  };
}
