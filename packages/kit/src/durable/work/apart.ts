import { isOutage } from '../../postgres/index.ts';

/**
 * Runs `run` for each item in turn, regardless of earlier failures, so that a failing item does not block those after it. Rejects at the
 * end if any failed, and at once when the database is unreachable; resolves without the rest after `signal` has aborted.
 */
export async function eachApart<T>(
  items: Iterable<T>,
  run: (item: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  let count = 0;
  for (const item of items) {
    if (signal?.aborted) break;
    count += 1;
    try {
      await run(item);
    } catch (error) {
      if (isOutage(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  if (failures.length === 1) throw failures[0];
  throw new AggregateError(
    failures,
    `${failures.length} of ${count} failed; the first: ${textOf(failures[0])}`,
  );
}

/** Runs independent steps in the same way. */
export function stepsApart(steps: readonly (() => Promise<unknown>)[], signal?: AbortSignal): Promise<void> {
  return eachApart(steps, (step) => step(), signal);
}

/** Deletes in batches until a batch is not full. */
export async function untilLess(batch: number, deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) === batch);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
