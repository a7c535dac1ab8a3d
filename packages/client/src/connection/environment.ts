type Target = {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
};
type Page = Target & { readonly document?: Target & { readonly visibilityState?: string } };

/** Calls back when the network may be there again, or the page is looked at again. Returns the function that ends it. */
export function watchEnvironment(returned: () => void): () => void {
  const page = globalThis as Page;
  const visible = (): void => {
    if (page.document?.visibilityState === 'visible') returned();
  };
  page.addEventListener?.('online', returned);
  page.document?.addEventListener?.('visibilitychange', visible);
  return () => {
    page.removeEventListener?.('online', returned);
    page.document?.removeEventListener?.('visibilitychange', visible);
  };
}

type Frames = { requestAnimationFrame?: (callback: () => void) => unknown };

const FRAME_MS = 16;

/** A function that calls back once for all its calls before the next frame. */
export function batched(callback: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    atNextFrame(() => {
      isDue = false;
      callback();
    });
  };
}

/** Calls back before the next frame is shown, or after as long where none is shown. */
function atNextFrame(callback: () => void): void {
  const page = globalThis as Page & Frames;
  let called = false;
  const once = (): void => {
    if (!called) callback();
    called = true;
  };
  // A hidden page shows no frames.
  if (page.requestAnimationFrame && page.document?.visibilityState === 'visible')
    page.requestAnimationFrame(once);
  setTimeout(once, FRAME_MS * 2);
}
