import { newId } from '@parley/domain/ids';
import { currentContext } from '@parley/kit/runtime/request-context';

/**
 * An id for a call, or for the object it creates. All attempts of a request with an Idempotency-Key get the same id; any other call gets a
 * new one.
 */
export function repeatableId(): string {
  return currentContext()?.operationId ?? newId();
}
