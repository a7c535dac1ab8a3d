import { useEffect, useState, useSyncExternalStore } from 'react';

/** Whether the user sees an element: neither it nor the page is hidden, and no scrolling has taken it out of sight. */
export function useIsInSight(element: { readonly current: Element | null }): boolean {
  const isPageVisible = useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'visible',
    () => true,
  );
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new IntersectionObserver((entries) => {
      setInSight(entries.at(-1)?.isIntersecting === true);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isPageVisible && isInSight;
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
