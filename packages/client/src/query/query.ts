import type { ParleyError } from '../errors.ts';
/**
 * A live window on the records of the device. It is a store as React's `useSyncExternalStore` expects it, and may be iterated:
 * each new snapshot once, the present one first; of several that come while the loop works only the last.
 *
 * @example
 * const conversations = client.conversations();
 * const stop = conversations.subscribe(() => render(conversations.getSnapshot().items));
 * @example
 * for await (const { items } of client.conversations()) render(items);
 */
export type Query<T> = AsyncIterable<T> & {
  /**
   * The present state.
   *
   * @returns The same reference until something of it changes.
   * @example const { items } = client.conversations().getSnapshot();
   */
  getSnapshot(): T;
  /**
   * Calls back after each change, at most once a frame.
   *
   * @param changed Called without arguments; `getSnapshot` has the new state.
   * @returns A function that ends it.
   * @example
   * const stop = messages.subscribe(() => render(messages.getSnapshot().items));
   */
  subscribe(changed: () => void): () => void;
};

/** A snapshot of a list. */
export type List<T> = {
  readonly items: readonly T[];
  /** `loading`: nothing is known yet, neither from the device nor from the network. */
  readonly status: 'loading' | 'ready';
  /** Whether `loadOlder` would bring more. */
  readonly hasOlder: boolean;
  /** The error of the last read, which is repeated when the connection is back. */
  readonly error: ParleyError | undefined;
};

/** A list that grows on demand. */
export type PagedQuery<T> = Query<List<T>> & {
  /**
   * Shows one page more, from the device or, where that has no more, from the platform.
   *
   * @throws ParleyError if the platform cannot be asked; the list stays as it is.
   * @example await messages.loadOlder();
   */
  loadOlder(): Promise<void>;
};
