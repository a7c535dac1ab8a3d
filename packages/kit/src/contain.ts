/**
 * Runs the work of an event listener, of a callback or of a promise that is not awaited: an error that it throws, or
 * rejects with, goes to `failed` and does not reach the process, which would end. `failed` must not throw.
 */
export function contain(work: () => unknown, failed: (error: unknown) => void): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
