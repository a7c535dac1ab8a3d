import { useEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { RowRange } from './row-heights.ts';

/** Height of each entry, in pixels; the style sheet has the same number. */
export const ENTRY_PX = 72;
/** Entries outside of the visible part, before and after it. */
const OVERSCAN = 6;
/** Height of a screen, until that of the list is known. */
const SCREEN_PX = 900;

/** The entries of a list that are in the page: those in sight, and a few more. */
export function useEntries(scroller: { readonly current: HTMLElement | null }, length: number): RowRange {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const range = rangeOf(scroller.current, length);
  const shown = useRef(range);
  useEffect(() => {
    shown.current = range;
  });
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const look = (): void => {
      const { first, end } = rangeOf(current, length);
      if (first !== shown.current.first || end !== shown.current.end) flushSync(render);
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [scroller, length]);
  return range;
}

function rangeOf(scroller: HTMLElement | null, length: number): RowRange {
  const { scrollTop = 0, clientHeight = SCREEN_PX } = scroller ?? {};
  return {
    first: Math.max(0, Math.min(length, Math.floor(scrollTop / ENTRY_PX)) - OVERSCAN),
    end: Math.min(length, Math.ceil((scrollTop + clientHeight) / ENTRY_PX) + OVERSCAN),
  };
}
