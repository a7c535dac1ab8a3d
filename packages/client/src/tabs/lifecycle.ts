/** Calls back before the browser freezes the page or puts it aside for the back button, and when the page runs again. */
export function onLifecycle({ sleep, wake }: { sleep(): void; wake(): void }): () => void {
  if (typeof document === 'undefined') return () => undefined;
  function hidden({ persisted }: PageTransitionEvent): void {
    if (persisted) sleep();
  }
  function shown({ persisted }: PageTransitionEvent): void {
    if (persisted) wake();
  }
  document.addEventListener('freeze', sleep);
  document.addEventListener('resume', wake);
  window.addEventListener('pagehide', hidden);
  window.addEventListener('pageshow', shown);
  return () => {
    document.removeEventListener('freeze', sleep);
    document.removeEventListener('resume', wake);
    window.removeEventListener('pagehide', hidden);
    window.removeEventListener('pageshow', shown);
  };
}
