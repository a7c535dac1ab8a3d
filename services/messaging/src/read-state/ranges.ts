/** Positions from `first` to `last`, inclusive; `last` is Infinity in an open range. */
export type Range = { first: number; last: number };

/** Parses an `int8multirange` as Postgres writes it, for example `{[1,5),[9,)}`. */
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

/** The number of positions from `first` to `last` that the ranges hold. */
export function countWithin(ranges: readonly Range[], first: number, last: number): number {
  let count = 0;
  for (const range of ranges) {
    count += Math.max(0, Math.min(range.last, last) - Math.max(range.first, first) + 1);
  }
  return count;
}

/** At most `most` ranges: the last one also covers the rest and the gaps between. */
export function coarsen(ranges: readonly Range[], most: number): Range[] {
  const kept = ranges.slice(0, most);
  const [end, last] = [kept.at(-1), ranges.at(-1)];
  return end && last ? [...kept.slice(0, -1), { first: end.first, last: last.last }] : kept;
}
