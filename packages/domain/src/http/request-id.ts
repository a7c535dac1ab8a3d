import { newId } from '../ids.ts';

const VALID_ID = /^[\w.:@+/=-]{1,128}$/;

/** The client's id of a request if it is safe in headers and log lines, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && VALID_ID.test(header) ? header : newId();
}
