/** Whether the application wants a connection; otherwise nothing is sent. */
export type Gate = {
  isOpen(): boolean;
  set(isOpen: boolean): void;
  /** Like the standard `fetch`, but fails while the gate is closed, and when it closes. */
  readonly fetch: typeof fetch;
};

export function createGate(given: typeof fetch | undefined): Gate {
  const fetchWith = given ?? ((...request: Parameters<typeof fetch>) => fetch(...request));
  let closing: AbortController | undefined = new AbortController();
  return {
    isOpen: () => closing !== undefined,
    set(isOpen) {
      if (isOpen) closing ??= new AbortController();
      else {
        closing?.abort();
        closing = undefined;
      }
    },
    async fetch(input, { signal, ...init } = {}) {
      if (!closing) throw new Error('disconnected by the application');
      return fetchWith(input, {
        ...init,
        signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
      });
    },
  };
}
