/**
 * Asks for the next item while the reader uses the present one, and never further ahead. A reader that leaves ends the
 * source.
 */
export async function* prefetch<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It may fail before the reader waits for it, or after the reader has left.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
