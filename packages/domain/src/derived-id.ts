import { v5 } from 'uuid';

/** A uuid that the same two always give: what is made of an event again, after a crash, is the same thing. */
export function derivedId(uuid: string, name: string): string {
  return v5(name, uuid);
}
