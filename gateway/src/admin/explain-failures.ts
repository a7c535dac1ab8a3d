import type { Interceptor } from '@connectrpc/connect';
import { errorOf, problem, problemOf } from '@parley/domain/problems';
import type { Logger } from '@parley/kit/telemetry/log';
import { isTransient } from '@parley/kit/rpc/transient';

const AGAIN_AFTER_SECONDS = 1;

/** Answers calls as `explain` says. */
export function explainFailures(log: Logger): Interceptor {
  return (next) => async (call) => {
    try {
      return await next(call);
    } catch (error) {
      throw call.signal.aborted ? error : explain(error, log);
    }
  };
}

/**
 * When a service was unreachable, late or full: `service_unavailable`, as REST answers, since a deadline that passed between processes is
 * none of the caller's. Otherwise the error itself.
 */
export function explain(error: unknown, log: Logger): unknown {
  if (!isTransient(error) || problemOf(error)) return error;
  log.warn({ error }, 'a call of the administration API failed');
  return errorOf(problem('service_unavailable', { retryAfterSeconds: AGAIN_AFTER_SECONDS }));
}
