/**
 * Runs an event listener, a callback or a promise that is not awaited: its error or rejection goes to `failed` instead of
 * ending the process. `failed` must not throw.
 */
export function guardListener(work: () => unknown, failed: (error: unknown) => void): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
