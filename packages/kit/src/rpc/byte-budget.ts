import { Code, ConnectError } from '@connectrpc/connect';

/** Largest message between processes; both ends refuse larger ones. Bytes. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/**
 * Largest encoded answer with several items. The first item, which may be as large as the largest legal object, and data shared by all
 * items (names, receipts) may use the rest of MAX_MESSAGE_BYTES. Bytes.
 */
export const ANSWER_BYTES = 2 * 1024 * 1024;

const TOO_LARGE = 'the answer is larger than a message may be';

/** Number of leading items that fit into a budget; at least one, if there are any. */
export function countFitting<T>(items: readonly T[], bytes: number, sizeOf: (item: T) => number): number {
  let used = 0;
  const end = items.findIndex((item, index) => {
    used += sizeOf(item);
    return index > 0 && used > bytes;
  });
  return end === -1 ? items.length : end;
}

/** The budget that the caller requested; undefined for a caller of an earlier release, which requests none. */
export function budgetOf({ byteBudget }: { byteBudget: number }): number | undefined {
  return byteBudget >= 1 ? Math.min(Math.floor(byteBudget), ANSWER_BYTES) : undefined;
}

/** The refusal of an answer that does not fit into one message. The caller asks for less. */
export function tooLarge(): ConnectError {
  return new ConnectError(TOO_LARGE, Code.ResourceExhausted);
}

/** Whether a call was refused because its answer would be too large: by the service, or by gRPC at either end. */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.code === Code.ResourceExhausted &&
    /larger than/.test(error.rawMessage)
  );
}

/**
 * Calls for many items at once; if the answer is too large, for each half in turn. Returns the results of all calls, in order. Fails like
 * the call, also for a single item whose answer is too large.
 */
export async function callInHalves<I, O>(
  items: readonly I[],
  call: (items: I[]) => Promise<O[]>,
): Promise<O[]> {
  try {
    return await call([...items]);
  } catch (error) {
    if (!isTooLarge(error) || items.length < 2) throw error;
  }
  const middle = items.length >> 1;
  const first = await callInHalves(items.slice(0, middle), call);
  return [...first, ...(await callInHalves(items.slice(middle), call))];
}
