import type { Query } from './query.ts';

/** A value that changes, as a live query. */
export type Value<T> = Query<T> & { set(next: T): void };

export function createValue<T>(first: T): Value<T> {
  let current = first;
  const subscribers = new Set<() => void>();
  function subscribe(changed: () => void): () => void {
    const one = () => changed();
    subscribers.add(one);
    return () => subscribers.delete(one);
  }
  return {
    getSnapshot: () => current,
    subscribe,
    set(next) {
      if (next === current) return;
      current = next;
      for (const changed of [...subscribers]) changed();
    },
    async *[Symbol.asyncIterator]() {
      let changed = () => {};
      const end = subscribe(() => changed());
      try {
        for (let shown: T | undefined; ;) {
          if (shown === current) await new Promise<void>((resolve) => (changed = resolve));
          shown = current;
          yield shown;
        }
      } finally {
        end();
      }
    },
  };
}
