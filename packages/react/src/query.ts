import type { Client, List, Query } from '@parley/client';
import { useSyncExternalStore } from 'react';

/** A list of which nothing is known yet, as servers render it. */
export const LOADING: List<never> = Object.freeze({
  items: Object.freeze([]),
  status: 'loading',
  hasOlder: false,
  error: undefined,
});

/**
 * The present state of a live query.
 *
 * @param query The query, the same one in each rendering; undefined for none.
 * @param initial What to show without one, and on a server.
 */
export function useQuery<T>(query: Query<T> | undefined, initial: T): T {
  return useSyncExternalStore(
    query?.subscribe ?? subscribeToNothing,
    query?.getSnapshot ?? (() => initial),
    () => initial,
  );
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

/** So many queries of a client are kept for components that wait for them. */
const KEPT_QUERIES = 50;
const queries = new WeakMap<Client, Map<string, unknown>>();

/** A query that outlives the component that asks for it: React drops the state of one that suspends before it was ever shown. */
export function keptQuery<T>(client: Client, key: string, create: () => T): T {
  const kept = queries.get(client) ?? new Map<string, unknown>();
  queries.set(client, kept);
  const query = (kept.get(key) as T | undefined) ?? create();
  // The latest use last.
  kept.delete(key);
  kept.set(key, query);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_QUERIES && oldest !== undefined) kept.delete(oldest);
  return query;
}

const waits = new WeakMap<object, Promise<void>>();

/** Suspends the component until something of a list is known. */
export function suspendUntilReady<T>(query: Query<List<T>>): void {
  if (query.getSnapshot().status === 'ready') return;
  const wait = waits.get(query) ?? untilReady(query);
  waits.set(query, wait);
  // React takes a thrown promise for "not yet", in 18 as in 19.
  throw wait;
}

function untilReady<T>(query: Query<List<T>>): Promise<void> {
  return new Promise((resolve) => {
    const end = query.subscribe(check);
    function check(): void {
      if (query.getSnapshot().status !== 'ready') return;
      end();
      waits.delete(query);
      resolve();
    }
    check();
  });
}

/** The client, for a component that suspends; on a server the component is left to the browser. */
export function clientToWaitFor(client: Client | null): Client {
  if (client) return client;
  throw new Error(
    'There is no client yet: React shows the fallback, and renders the component in the browser.',
  );
}
