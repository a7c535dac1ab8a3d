import { AsyncLocalStorage } from 'node:async_hooks';

/** Data of the current request, available to every step without being passed. `deadline`: by `performance.now()`. */
export type RequestContext = {
  readonly requestId: string;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A uuid shared by repeated attempts of one request, so that its effects happen once. */
  readonly operationId?: string | undefined;
  /** Whom the request acts for, in a form of the callers' own; passed on to the processes that are called. Printable ASCII. */
  readonly actor?: string | undefined;
};

const STORAGE = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(ctx: RequestContext, fn: () => T): T {
  return STORAGE.run(ctx, fn);
}

export function currentContext(): RequestContext | undefined {
  return STORAGE.getStore();
}

// Taken while modules load, outside any request, so that a loop which a request starts lazily runs outside it as well.
const runDetached = AsyncLocalStorage.snapshot();

/**
 * Returns a function that runs its argument outside any request. Timers, loops and work for several requests (a batch, a
 * pool) must not inherit the deadline, the abort signal or the trace of the request that started them.
 */
export function detach(): <T>(fn: () => T) => T {
  return runDetached;
}
