/** A runtime as the types describe it, any part of which may be missing. */
type Gaps<T> = { -readonly [K in keyof T]?: T[K] };

/**
 * Adds the functions of the language and of browsers that the library uses and Hermes lacks; what is there stays. Call it before
 * `createClient`. Random numbers come from the device alone: import `react-native-get-random-values` before.
 *
 * @example
 * import 'react-native-get-random-values';
 * prepareRuntime();
 */
export function prepareRuntime(): void {
  (Promise as Gaps<PromiseConstructor>).withResolvers ??= withResolvers;
  (Map as Gaps<MapConstructor>).groupBy ??= groupBy;
  (AbortSignal as Gaps<typeof AbortSignal>).timeout ??= timeout;
  (AbortSignal as Gaps<typeof AbortSignal>).any ??= any;
  (globalThis as Gaps<typeof globalThis>).TextDecoder ??= Utf8Decoder as unknown as typeof TextDecoder;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle!: Omit<PromiseWithResolvers<T>, 'promise'>;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return Object.assign(settle, { promise });
}

function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function timeout(ms: number): AbortSignal {
  const ending = new AbortController();
  const timer: { unref?(): void } & ReturnType<typeof setTimeout> = setTimeout(() => ending.abort(), ms);
  timer.unref?.();
  return ending.signal;
}

/** Controllers of the signals of `any`, by the signals that end them. */
const followers = new WeakMap<AbortSignal, Set<WeakRef<AbortController>>>();
/** Keeps the controller of a signal of `any`, and the signals that end it, as long as the signal is in use. */
const kept = new WeakMap<AbortSignal, readonly unknown[]>();

/** A signal that lives as long as the client has one listener, however many requests end with it. */
function any(signals: Iterable<AbortSignal>): AbortSignal {
  const ending = new AbortController();
  const all = [...signals];
  kept.set(ending.signal, [ending, all]);
  if (all.some(({ aborted }) => aborted)) ending.abort();
  else for (const signal of all) followersOf(signal).add(new WeakRef(ending));
  return ending.signal;
}

/** The controllers that end with a signal, without those whose signals are in use no more. */
function followersOf(signal: AbortSignal): Set<WeakRef<AbortController>> {
  const known = followers.get(signal);
  if (known) {
    for (const one of known) if (one.deref()?.signal.aborted !== false) known.delete(one);
    return known;
  }
  const added = new Set<WeakRef<AbortController>>();
  followers.set(signal, added);
  signal.addEventListener('abort', () => added.forEach((one) => one.deref()?.abort()), { once: true });
  return added;
}

/** Reads UTF-8, as tokens have it. */
class Utf8Decoder {
  decode(bytes: Uint8Array): string {
    const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`);
    return decodeURIComponent(escaped.join(''));
  }
}
