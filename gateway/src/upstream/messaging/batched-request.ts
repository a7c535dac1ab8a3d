import { currentContext, runInContext } from '@parley/kit/runtime/request-context';

/**
 * An item of a batch, with the id of its request; `giveUpAt`, by `performance.now()`, is when that request times
 * out.
 */
export type BatchItem<I> = { item: I; requestId: string | undefined; giveUpAt: number };

const MAX_REQUEST_IDS = 8;
const MAX_WAIT_MS = 5000;

export function toBatchItem<I>(item: I): BatchItem<I> {
  return { item, requestId: currentContext()?.requestId, giveUpAt: performance.now() + MAX_WAIT_MS };
}

/** Makes one call for several requests. It carries the ids of the first few, so that they appear in every log. */
export function callWithRequestIds<I, O>(gathered: BatchItem<I>[], call: (items: I[]) => O): O {
  const ids = new Set<string>();
  for (const { requestId } of gathered) if (requestId && ids.size < MAX_REQUEST_IDS) ids.add(requestId);
  const items = gathered.map(({ item }) => item);
  return ids.size === 0 ? call(items) : runInContext({ requestId: [...ids].join(',') }, () => call(items));
}
