/** A row of the list. */
type Row = { readonly id: string };

/** Rows that are in the page: from `first`, and before `end`. */
export type RowRange = { readonly first: number; readonly end: number };

/** Pixels of a row that was never in the page. */
const ESTIMATE_PX = 56;
/** So many rows at the beginning may be left out at a time. */
const MOST_LEFT_OUT = 100;
/** Measurements that differ by less, in pixels, are the same. */
const TOLERANCE_PX = 0.05;

/**
 * Heights of the rows of a list, in pixels. Positions count from the end of the list: older rows then change no position, and rows
 * whose heights are not known yet only those of older rows.
 */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  #rows: readonly Row[] = [];
  #heights: readonly number[] = [];
  /** Position of the lower edge of each row, and at the end that of the list; undefined while heights have changed. */
  #edges: Float64Array | undefined;
  #shift = 0;

  /** Sum of all heights. */
  get total(): number {
    return this.below(-1);
  }

  /** Position of the lower edge of a row; of the upper edge of the list for -1. */
  below(index: number): number {
    return this.#positions()[index + 1] ?? 0;
  }

  /** Position of the upper edge of a row. */
  above(index: number): number {
    return this.below(index - 1);
  }

  /** By how far the row at the lower edge of the visible part has moved since `shifted`. */
  get shift(): number {
    return this.#shift;
  }

  /** The visible part has moved as well. */
  shifted(): void {
    this.#shift = 0;
  }

  /** Takes another list. `position`: that of the lower edge of the visible part when `shifted` was called. */
  set(rows: readonly Row[], position: number): void {
    if (rows === this.#rows) return;
    const anchor = this.#rowAt(position + this.#shift);
    const [edge, anchored] = [this.below(anchor), this.#rows[anchor]?.id];
    // A list that shows so many at most leaves out its oldest row for a new one.
    const left = Math.max(
      0,
      this.#rows.slice(0, MOST_LEFT_OUT).findIndex(({ id }) => id === rows[0]?.id),
    );
    const [before, heights] = [this.#rows.slice(left), this.#heights.slice(left)];
    const [head, tail] = commonEnds(before, rows);
    const added = rows.slice(head, rows.length - tail).map(({ id }) => this.#measured.get(id) ?? ESTIMATE_PX);
    this.#heights = heights.slice(0, head).concat(added, heights.slice(before.length - tail));
    this.#rows = rows;
    this.#edges = undefined;
    const next = rows.findLastIndex(({ id }) => id === anchored);
    if (next >= 0) this.#shift += this.below(next) - edge;
  }

  /** Takes the measured heights of rows from an index on. Says whether one has changed. */
  measure(first: number, heights: readonly number[], position: number): boolean {
    const changed = heights.map((height, offset) => [first + offset, height] as const).filter(this.#differs);
    if (changed.length === 0) return false;
    const anchor = this.#rowAt(position + this.#shift);
    const edge = this.below(anchor);
    // A row that was never in sight has no place to keep.
    const isKept = this.#measured.has(this.#rows[anchor]?.id ?? '');
    const next = [...this.#heights];
    for (const [index, height] of changed) {
      next[index] = height;
      this.#measured.set(this.#rows[index]?.id ?? '', height);
    }
    this.#heights = next;
    this.#edges = undefined;
    if (isKept) this.#shift += this.below(anchor) - edge;
    return true;
  }

  /** The rows between two positions, and so many more on each side. */
  range({ lower, upper, more }: { lower: number; upper: number; more: number }): RowRange {
    const { length } = this.#rows;
    return {
      first: Math.max(0, this.#rowAt(upper) - more),
      end: Math.min(length, this.#rowAt(lower) + 1 + more),
    };
  }

  readonly #differs = ([index, height]: readonly [number, number]): boolean => {
    const known = this.#heights[index];
    return known !== undefined && Math.abs(known - height) > TOLERANCE_PX;
  };

  /** The row at a position: the last one whose upper edge is above it. */
  #rowAt(position: number): number {
    const edges = this.#positions();
    let [low, high] = [0, Math.max(0, this.#rows.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((edges[middle] ?? 0) > position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** `[0]` is the upper edge of the list, `[index + 1]` the lower edge of a row. */
  #positions(): Float64Array {
    if (this.#edges) return this.#edges;
    const edges = new Float64Array(this.#heights.length + 1);
    for (let index = this.#heights.length - 1; index >= 0; index--)
      edges[index] = (edges[index + 1] ?? 0) + (this.#heights[index] ?? 0);
    this.#edges = edges;
    return edges;
  }
}

/** How many rows two lists have in common at their beginnings, and behind that at their ends. */
function commonEnds(before: readonly Row[], rows: readonly Row[]): [head: number, tail: number] {
  const most = Math.min(before.length, rows.length);
  let [head, tail] = [0, 0];
  while (tail < most && isSame(before[before.length - 1 - tail], rows[rows.length - 1 - tail])) tail++;
  while (head < most - tail && isSame(before[head], rows[head])) head++;
  return [head, tail];
}

function isSame(one: Row | undefined, other: Row | undefined): boolean {
  return one === other || one?.id === other?.id;
}
