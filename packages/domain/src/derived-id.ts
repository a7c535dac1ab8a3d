import { v5 } from 'uuid';

/** A uuid that depends only on its two arguments: a record derived from an event again, after a crash, gets the same id. */
export function derivedId(uuid: string, name: string): string {
  return v5(name, uuid);
}
