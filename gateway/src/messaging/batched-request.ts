import { currentContext, runInContext } from '@parley/kit/request-context';

/**
 * An item that waits to be sent with others, and the request that it is for; `giveUpAt`, in milliseconds since the epoch,
 * is when that ends.
 */
export type BatchItem<I> = { item: I; requestId: string | undefined; giveUpAt: number };

const MAX_REQUEST_IDS = 8;
const LONGEST_MS = 5000;

export function toBatchItem<I>(item: I): BatchItem<I> {
  return { item, requestId: currentContext()?.requestId, giveUpAt: Date.now() + LONGEST_MS };
}

/** Calls for several requests at once: the call carries the ids of the first few, so that they are found in every log. */
export function callWithRequestIds<I, O>(
  gathered: BatchItem<I>[],
  call: (items: I[]) => Promise<O>,
): Promise<O> {
  const ids = new Set<string>();
  for (const { requestId } of gathered) if (requestId && ids.size < MAX_REQUEST_IDS) ids.add(requestId);
  const items = gathered.map(({ item }) => item);
  return ids.size === 0 ? call(items) : runInContext({ requestId: [...ids].join(',') }, () => call(items));
}
