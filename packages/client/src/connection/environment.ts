type Target = {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
};
type Page = Target & { readonly document?: Target & { readonly visibilityState?: string } };

/** A silent connection is noticed within 25 s: two of these intervals, plus the time an answer may take. Milliseconds. */
const SILENT_MS = 14_000;
const CHECK_MS = 5_000;

/** Callbacks for events of the page and its network. */
export type Environment = {
  /** Called when the network may be back, or the page is visible again. */
  returned(): void;
  /** Called when the connection may be broken, if nothing arrived for this long. Milliseconds. */
  probe(silentForMs: number): void;
};

/** Watches the page and its network. Returns a function that stops this. */
export function watchEnvironment({ returned, probe }: Environment): () => void {
  const page = globalThis as Page;
  const visible = (): void => {
    if (!isVisible()) return;
    returned();
    probe(0);
  };
  const lost = (): void => probe(0);
  // A page in the background sends no probes.
  const timer: { unref?(): void } & ReturnType<typeof setInterval> = setInterval(() => {
    if (isVisible()) probe(SILENT_MS);
  }, CHECK_MS);
  timer.unref?.();
  page.addEventListener?.('online', returned);
  page.addEventListener?.('offline', lost);
  page.document?.addEventListener?.('visibilitychange', visible);
  return () => {
    clearInterval(timer);
    page.removeEventListener?.('online', returned);
    page.removeEventListener?.('offline', lost);
    page.document?.removeEventListener?.('visibilitychange', visible);
  };
}

/** True where there are no pages, as in a worker. */
function isVisible(): boolean {
  const { document } = globalThis as Page;
  return !document || document.visibilityState === 'visible';
}

type Frames = { requestAnimationFrame?: (callback: () => void) => unknown };

const FRAME_MS = 16;

/** A function that combines all its calls into one callback before the next frame. */
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

/** Calls back before the next frame, or after the same time where no frames are shown. */
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
