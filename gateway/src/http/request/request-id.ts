import { newId } from '@parley/domain/ids';

const sane = /^[\w.:@+/=-]{1,128}$/;

/** The client's own id of a request when it can stand in headers and log lines, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && sane.test(given) ? given : newId();
}
