/** Positions from `first` to `last`, both included; `last` is Infinity while it is open. */
export type Range = { first: number; last: number };

/** An `int8multirange` as Postgres writes it, e.g. `{[1,5),[9,)}`. */
export function parseRanges(text: string): Range[] {
  return [...text.matchAll(/\[(\d+),(\d*)\)/g)].map(([, first, end]) => ({
    first: Number(first),
    last: end ? Number(end) - 1 : Infinity,
  }));
}

export function formatRanges(ranges: readonly Range[]): string {
  const texts = ranges.map(({ first, last }) => `[${first},${last === Infinity ? '' : last + 1})`);
  return `{${texts.join(',')}}`;
}

export function contains(ranges: readonly Range[], position: number): boolean {
  return ranges.some(({ first, last }) => first <= position && position <= last);
}

/** How many positions from `first` to `last` the ranges hold. */
export function countWithin(ranges: readonly Range[], first: number, last: number): number {
  let count = 0;
  for (const range of ranges) {
    count += Math.max(0, Math.min(range.last, last) - Math.max(range.first, first) + 1);
  }
  return count;
}

/** At most `most` ranges: the rest is joined to the last one, with what is between. */
export function coarsen(ranges: readonly Range[], most: number): Range[] {
  const kept = ranges.slice(0, most);
  const [end, last] = [kept.at(-1), ranges.at(-1)];
  return end && last ? [...kept.slice(0, -1), { first: end.first, last: last.last }] : kept;
}
