import { currentContext, runInContext } from '@parley/kit/runtime/request-context';

/** Deadline of a step: the time that a request to any other service has. Milliseconds. */
const STEP_MS = 5_000;

/**
 * Runs a short step of a request with a deadline, so that it waits for its application's share of the database connections
 * like any RPC. An upload itself has no deadline: bytes that arrived are stored, however long that takes.
 */
export function withStepDeadline<T>(step: () => Promise<T>): Promise<T> {
  const { requestId = '', ...context } = currentContext() ?? {};
  return runInContext({ ...context, requestId, deadline: performance.now() + STEP_MS }, step);
}

/** Runs work that continues when the client disconnects. */
export function despiteDisconnect<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ requestId: currentContext()?.requestId ?? '' }, work);
}
