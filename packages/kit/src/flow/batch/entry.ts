import { Code, ConnectError } from '@connectrpc/connect';

import type { ItemSpan } from './trace.ts';

/** An answer of `run` for an item whose key another transaction holds locked: nothing was done for the item. */
export const CONTENDED = Symbol('contended');

export type Answer<O> = O | Error | typeof CONTENDED;

/** Largest batch; a single larger item forms its own batch. */
export type BatchLimit = { readonly items: number; readonly bytes: number };

/** An item waiting for its answer. `arrivedAt`: by performance.now(), or 0 if its batcher is not observed. */
export type Entry<I, O> = {
  item: I;
  size: number;
  arrivedAt: number;
  /** Undefined without tracing. */
  trace: ItemSpan | undefined;
  resolve(value: O): void;
  reject(error: unknown): void;
};

/** The key of an item stayed contended until its time limit. Nothing was done for the item. */
export class ContendedError extends ConnectError {
  constructor() {
    super('another transaction holds the lock', Code.Unavailable);
  }

  // ConnectError's instanceof checks the shape; that of ContendedError checks the class.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(ContendedError, value);
  }
}

/** Runs a batch and settles its entries; returns, in order, those answered CONTENDED. */
export async function runBatch<I, O>(
  batch: readonly Entry<I, O>[],
  run: (items: I[]) => Promise<Answer<O>[]>,
): Promise<Entry<I, O>[]> {
  try {
    const answers = await run(batch.map(({ item }) => item));
    if (answers.length === batch.length) return settle(batch, answers);
    throw new ConnectError(
      `run answered ${batch.length} items with ${answers.length} results`,
      Code.Internal,
    );
  } catch (error) {
    for (const entry of batch) entry.reject(error);
    return [];
  }
}

/** Settles entries by their answers; returns, in order, those answered CONTENDED. */
export function settle<I, O>(batch: readonly Entry<I, O>[], answers: readonly Answer<O>[]): Entry<I, O>[] {
  return batch.filter((entry, index) => {
    const answer = answers[index] as Answer<O>;
    if (answer === CONTENDED) return true;
    if (answer instanceof Error) entry.reject(answer);
    else entry.resolve(answer);
    return false;
  });
}

/** Number of leading entries that fit into one batch; at least one. */
export function fitting<I, O>(entries: readonly Entry<I, O>[], limit: BatchLimit): number {
  let bytes = entries[0]?.size ?? 0;
  let count = 1;
  for (; count < entries.length && count < limit.items; count += 1) {
    bytes += entries[count]?.size ?? 0;
    if (bytes > limit.bytes) break;
  }
  return count;
}
