import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeOf, notFound, unavailable } from '../failures.ts';

const MISSING_CODES = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound']);
/** The store's parts differ from those that were stored. */
const DAMAGED_CODES = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

const RETRY_MS = 200;

/** Runs an idempotent call, and repeats it once when the store is unavailable, as stores are now and then. */
export async function withRetry<T>(what: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await attempt(what, key, run);
  } catch (failure) {
    if (!(failure instanceof ConnectError && failure.code === Code.Unavailable)) throw failure;
  }
  await delay(RETRY_MS);
  return attempt(what, key, run);
}

async function attempt<T>(what: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw failureOf(what, key, error);
  }
}

function failureOf(what: string, key: string, error: unknown): Error {
  const code = codeOf(error) ?? '';
  if (MISSING_CODES.has(code)) return notFound(key, error);
  if (DAMAGED_CODES.has(code)) return new ConnectError(`blob store: ${what}: ${code}`, Code.DataLoss);
  return unavailable(what, error);
}
