import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowHeights, type RowRange } from './row-heights.ts';

/** The rows of a list that are in the page. */
export type Rows = RowRange & {
  /** Pixels of all rows. */
  readonly total: number;
  /** Pixels between a row and the end of the list. */
  readonly below: (index: number) => number;
  /** Whether the end of the list is in sight. */
  readonly isAtEnd: boolean;
  readonly scrollToEnd: () => void;
  /** Scrolls until the row is at the top. */
  readonly scrollToRow: (index: number) => void;
};

type Place = { readonly current: HTMLElement | null };
type Places = {
  /** The element that scrolls, whose direction is `column-reverse`: its position is 0 at the end and negative above. */
  readonly scroller: Place;
  /** The parent of the rows, which are its only children. */
  readonly parent: Place;
};

/** Rows outside of the visible part, before and after it. */
const OVERSCAN = 8;
/** The list counts as scrolled to its end within so many pixels. */
const END_PX = 48;
/** Room above a row that is scrolled to, with the room below the last row. */
const MARGIN_PX = 16;
/** Height of the visible part until it is known. */
const SCREEN_PX = 900;

/**
 * Chooses the rows that are in the page: those in sight, and a few more. The list stays at its end if it is there, and otherwise
 * keeps its place when rows come, go or change their heights.
 */
export function useRows(items: readonly { readonly id: string }[], { scroller, parent }: Places): Rows {
  const [window] = useState(() => new RowWindow());
  const [, render] = useReducer((count: number) => count + 1, 0);
  window.heights.set(items, window.distance);
  const { first, end } = window.range();
  const shown = useRef({ first, end, isAtEnd: true });
  const isAtEnd = window.distance <= END_PX;
  useLayoutEffect(() => {
    shown.current = { first, end, isAtEnd };
    const current = displayed(scroller);
    if (!current) return;
    window.read(current);
    const isMeasured = window.measure(first, parent.current?.children ?? []);
    // The page can be scrolled to the right place once it has been rendered with the new heights.
    if (isMeasured) return render();
    window.settle(current);
    if (isOther(window, shown.current)) render();
    else window.arrived();
  });
  useObserver({ scroller, parent }, () => {
    const current = displayed(scroller);
    if (!current) return;
    window.read(current);
    const isMeasured = window.measure(shown.current.first, parent.current?.children ?? []);
    if (isMeasured || isOther(window, shown.current)) flushSync(render);
    // Rows may have come while the list was hidden.
    else window.settle(current);
  });
  const scrollTo = useCallback(
    (index: number | undefined) => {
      window.aim(index);
      const current = displayed(scroller);
      if (current) window.settle(current);
      render();
    },
    [window, scroller],
  );
  return {
    first,
    end,
    isAtEnd,
    total: window.heights.total,
    below: (index) => window.heights.below(index),
    scrollToEnd: useCallback(() => scrollTo(undefined), [scrollTo]),
    scrollToRow: scrollTo,
  };
}

/** The scrolling element; undefined while it is hidden, when it and its rows have no heights. */
function displayed({ current }: Place): HTMLElement | undefined {
  return current && current.clientHeight > 0 ? current : undefined;
}

function isOther(window: RowWindow, shown: RowRange & { readonly isAtEnd: boolean }): boolean {
  const { first, end } = window.range();
  return first !== shown.first || end !== shown.end || window.distance <= END_PX !== shown.isAtEnd;
}

/** Looks again when the list is scrolled, or it or a row of it has another size. */
function useObserver({ scroller, parent }: Places, look: () => void): void {
  const latest = useRef(look);
  const [observed] = useState(() => new Set<Element>());
  const observer = useRef<ResizeObserver>(undefined);
  useLayoutEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const changed = (): void => latest.current();
    const sizes = new ResizeObserver(changed);
    observer.current = sizes;
    sizes.observe(current);
    for (const row of observed) sizes.observe(row);
    current.addEventListener('scroll', changed, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', changed);
    };
  }, [scroller, observed]);
  useEffect(() => {
    const rows = new Set(parent.current?.children);
    for (const row of observed) if (!rows.has(row) && observed.delete(row)) observer.current?.unobserve(row);
    for (const row of rows) {
      if (observed.has(row)) continue;
      observed.add(row);
      observer.current?.observe(row);
    }
  });
}

/** The visible part of a list. */
class RowWindow {
  readonly heights = new RowHeights();
  /** Pixels between the lower edge of the visible part and the end of the list. */
  distance = 0;
  #height = SCREEN_PX;
  /** Aim of scrolling: a row, `end`, or nothing. */
  #target: number | 'end' | undefined;

  range(): RowRange {
    const lower = this.#wanted();
    return this.heights.range({ lower, upper: lower + this.#height, more: OVERSCAN });
  }

  read(scroller: HTMLElement): void {
    this.distance = Math.max(0, -scroller.scrollTop);
    this.#height = scroller.clientHeight;
  }

  /** Whether a row has another height than before. */
  measure(first: number, rows: Iterable<Element>): boolean {
    // Other than rectangles, computed heights are those before the transforms of the page.
    const heights = Array.from(rows, (row) => Number.parseFloat(getComputedStyle(row).height));
    return this.heights.measure(first, heights, this.distance);
  }

  aim(index: number | undefined): void {
    this.#target = index ?? 'end';
  }

  /** Scrolls to where the visible part belongs by now. */
  settle(scroller: HTMLElement): void {
    const distance = this.#wanted();
    this.heights.shifted();
    if (distance !== this.distance) scroller.scrollTop = -distance;
    this.read(scroller);
  }

  /** All rows at the place that was aimed at have been measured. */
  arrived(): void {
    this.#target = undefined;
  }

  #wanted(): number {
    const { shift } = this.heights;
    if (typeof this.#target === 'number')
      return Math.max(0, this.heights.above(this.#target) - this.#height + MARGIN_PX);
    if (this.#target === 'end') return 0;
    return shift !== 0 && this.distance <= END_PX ? 0 : Math.max(0, this.distance + shift);
  }
}
