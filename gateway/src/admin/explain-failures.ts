import type { Interceptor } from '@connectrpc/connect';
import { fail, problemOf } from '@parley/domain/problems';
import { isTransient } from '@parley/kit/rpc/transient';

const AGAIN_AFTER_SECONDS = 1;

/**
 * Answers `service_unavailable` when a service was unreachable, late or full, as REST does: a deadline that passed between processes
 * is none of the caller's.
 */
export function explainFailures(next: Parameters<Interceptor>[0]): ReturnType<Interceptor> {
  return async (call) => {
    try {
      return await next(call);
    } catch (error) {
      if (call.signal.aborted || !isTransient(error) || problemOf(error)) throw error;
      return fail('service_unavailable', { retryAfterSeconds: AGAIN_AFTER_SECONDS });
    }
  };
}
