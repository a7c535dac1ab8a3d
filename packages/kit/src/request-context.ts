import { AsyncLocalStorage } from 'node:async_hooks';

/** What every step of one request knows without being told. `deadline` is in milliseconds since the epoch. */
export type RequestContext = {
  readonly requestId: string;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A uuid that repeated attempts of one request share: what it makes is known by it, and made once. */
  readonly operationId?: string | undefined;
};

const STORAGE = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(ctx: RequestContext, fn: () => T): T {
  return STORAGE.run(ctx, fn);
}

export function currentContext(): RequestContext | undefined {
  return STORAGE.getStore();
}

// Taken while modules are loaded, which no request does: a loop that is started lazily, by a request, is outside as well.
const runDetached = AsyncLocalStorage.snapshot();

/**
 * Gives a function that runs others outside of every request: timers, loops and work for several requests at once (a
 * batch, a pool) must not inherit the deadline, the abort signal or the trace of the request that set them off.
 */
export function detach(): <T>(fn: () => T) => T {
  return runDetached;
}
