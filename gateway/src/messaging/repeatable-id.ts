import { newId } from '@parley/domain/ids';
import { currentContext } from '@parley/kit/request-context';

/**
 * The id of a call, and of what it makes when nobody gave it one: repeated attempts of a request with an Idempotency-Key
 * have the same, every other request a new one.
 */
export function repeatableId(): string {
  return currentContext()?.operationId ?? newId();
}
