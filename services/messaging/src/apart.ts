import { Code } from '@connectrpc/connect';
import { DatabaseError, isOutage } from '@parley/kit/postgres';

/** One item that the database cannot take must not fail the others: then each runs by itself. */
export async function runApart<I, O>(items: I[], run: (items: I[]) => Promise<O[]>): Promise<(O | Error)[]> {
  try {
    return await run(items);
  } catch (error) {
    if (items.length === 1 || !isFaultOfData(error)) throw error;
  }
  const results: (O | Error)[] = [];
  for (const item of items) {
    results.push(...(await run([item]).catch((error: unknown) => [toError(error)])));
  }
  return results;
}

function isFaultOfData(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || isOutage(error)) return false;
  return error.code === Code.InvalidArgument || error.code === Code.Internal;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
