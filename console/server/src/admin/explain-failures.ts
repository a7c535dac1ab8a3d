import type { Interceptor } from '@connectrpc/connect';
import { errorOf, unavailability } from '@parley/domain/problems';
import type { Logger } from '@parley/kit/runtime/telemetry/log';

/** Answers calls as `explain` says, unless the caller went away or its own deadline has passed. */
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
 * When a service was unreachable, late or full: `service_unavailable`, as REST answers, since the caller set no deadline between
 * processes. Otherwise the error itself.
 */
export function explain(error: unknown, log: Logger): unknown {
  const unavailable = unavailability(error);
  if (!unavailable) return error;
  log.warn({ error }, 'a call of the administration API failed');
  return errorOf(unavailable);
}
