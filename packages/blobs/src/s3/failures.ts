import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeOf, notFound, unavailable } from '../failures.ts';

const missing = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound']);
/** Parts are not what they were when they were stored. */
const lost = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

const PAUSE_MS = 200;

/** Does what may be done twice, and tries it once more when the store fails: stores do so now and then. */
export async function persist<T>(what: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await attempt(what, key, run);
  } catch (failure) {
    if (!(failure instanceof ConnectError && failure.code === Code.Unavailable)) throw failure;
  }
  await delay(PAUSE_MS);
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
  if (missing.has(code)) return notFound(key, error);
  if (lost.has(code)) return new ConnectError(`blob store: ${what}: ${code}`, Code.DataLoss);
  return unavailable(what, error);
}
