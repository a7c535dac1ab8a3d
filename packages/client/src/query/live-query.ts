import type { Query } from './query.ts';

/** Notices when records were published, and lets queries check for changes. */
export type Publisher = {
  /** Increases with each publication. */
  readonly version: number;
  subscribe(listener: () => void): () => void;
  publish(): void;
};

export function createPublisher(): Publisher {
  const listeners = new Set<() => void>();
  let version = 0;
  return {
    get version() {
      return version;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish() {
      version++;
      for (const listener of [...listeners]) listener();
    },
  };
}

type Options<T> = {
  readonly compute: () => T;
  /** Whether two states are equivalent, so that the earlier one is kept. By default a state is equivalent only to itself. */
  readonly isSame?: (one: T, other: T) => boolean;
  /** Called when the first subscriber comes or the last one leaves. */
  readonly used?: (isUsed: boolean) => void;
};

export function createQuery<T>(
  publisher: Publisher,
  { compute, isSame = Object.is, used }: Options<T>,
): Query<T> {
  let snapshot: { value: T; version: number } | undefined;
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;

  function getSnapshot(): T {
    const { version } = publisher;
    if (snapshot?.version === version) return snapshot.value;
    const value = compute();
    const isKept = snapshot !== undefined && isSame(snapshot.value, value);
    snapshot = { value: isKept ? snapshot!.value : value, version };
    return snapshot.value;
  }
  function look(): void {
    const before = snapshot?.value;
    if (getSnapshot() === before) return;
    for (const listener of [...listeners]) listener();
  }
  function subscribe(listener: () => void): () => void {
    // The same function may subscribe twice.
    const own = (): void => listener();
    if (listeners.size === 0) {
      stop = publisher.subscribe(look);
      used?.(true);
    }
    listeners.add(own);
    getSnapshot();
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return;
      stop?.();
      used?.(false);
    };
  }
  async function* iterate(): AsyncGenerator<T, void> {
    let isChanged = true;
    let wake: (() => void) | undefined;
    const unsubscribe = subscribe(() => {
      isChanged = true;
      wake?.();
    });
    try {
      for (;;) {
        if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
        isChanged = false;
        yield getSnapshot();
      }
    } finally {
      unsubscribe();
    }
  }
  return { getSnapshot, subscribe, [Symbol.asyncIterator]: iterate };
}

/** Whether two lists have the same items in the same order. */
export function isSameArray(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
