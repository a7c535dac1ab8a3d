import { currentContext, runInContext } from '@parley/kit/request-context';

/** As long as a request of any other service has. Milliseconds. */
const STEP_MS = 5_000;

/**
 * Runs a short step of a request with a deadline, so that it waits for its application's share of the connections like
 * any call does. An upload itself has none: what came of it is stored however long that takes.
 */
export function withStepDeadline<T>(step: () => Promise<T>): Promise<T> {
  const { requestId = '', ...context } = currentContext() ?? {};
  return runInContext({ ...context, requestId, deadline: Date.now() + STEP_MS }, step);
}

/** Runs work that goes on when the client is gone. */
export function despiteDisconnect<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ requestId: currentContext()?.requestId ?? '' }, work);
}
