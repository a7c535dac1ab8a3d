import { createPublisher, createQuery } from './live-query.ts';
import type { Query } from './query.ts';

/** A value that changes, as a live query. */
export type Value<T> = Query<T> & { set(next: T): void };

export function createValue<T>(first: T): Value<T> {
  const publisher = createPublisher();
  let current = first;
  const query = createQuery(publisher, { compute: () => current });
  return {
    ...query,
    set(next) {
      current = next;
      publisher.publish();
    },
  };
}
