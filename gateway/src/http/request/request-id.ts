import { newId } from '@parley/domain/ids';

const VALID_ID = /^[\w.:@+/=-]{1,128}$/;

/** The client's own id of a request when it can stand in headers and log lines, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && VALID_ID.test(header) ? header : newId();
}
