/** Positions from `first` to `last`, inclusive; `last` is Infinity in an open range. Lists of ranges are sorted and disjoint. */
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

/**
 * The index of the first range that does not end before `position`; the number of ranges when all do. Takes logarithmic time: a
 * participant whom every other message left out has as many ranges as messages.
 */
export function indexFrom(ranges: readonly Range[], position: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.last >= position) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function contains(ranges: readonly Range[], position: number): boolean {
  const range = ranges[indexFrom(ranges, position)];
  return range !== undefined && range.first <= position;
}

/** The parts of the ranges that are within the positions from `first` to `last`, in order. Looks at no range outside of them. */
export function* clip(ranges: readonly Range[], { first, last }: Range): Generator<Range> {
  for (let index = indexFrom(ranges, first); index < ranges.length; index++) {
    const range = ranges[index]!;
    if (range.first > last) return;
    yield { first: Math.max(range.first, first), last: Math.min(range.last, last) };
  }
}

/** The number of positions from `first` to `last` that the ranges hold. */
export function countWithin(ranges: readonly Range[], first: number, last: number): number {
  let count = 0;
  for (const part of clip(ranges, { first, last })) count += part.last - part.first + 1;
  return count;
}

/** The position itself, or the one behind the range that holds it. */
export function pastRange(ranges: readonly Range[], position: number): number {
  const range = ranges[indexFrom(ranges, position)];
  return range && range.first <= position ? range.last + 1 : position;
}

/** The position itself, or the one before the range that holds it. */
export function beforeRange(ranges: readonly Range[], position: number): number {
  const range = ranges[indexFrom(ranges, position)];
  return range && range.first <= position ? range.first - 1 : position;
}

/** The positions from `first` to `last` that are in none of the ranges. */
export function without(ranges: readonly Range[], { first, last }: Range): Range[] {
  const rest: Range[] = [];
  let from = first;
  for (const taken of clip(ranges, { first, last })) {
    if (taken.first > from) rest.push({ first: from, last: taken.first - 1 });
    from = taken.last + 1;
  }
  if (from <= last) rest.push({ first: from, last });
  return rest;
}

/** Merges ranges, which may overlap and have any order, into sorted ranges that do not overlap. */
export function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const end = merged.at(-1);
    if (end && first <= end.last + 1) end.last = Math.max(end.last, last);
    else merged.push({ first, last });
  }
  return merged;
}

/** Reduces ranges to `most`: the last one also covers the rest and the gaps between. */
export function coarsen(ranges: readonly Range[], most: number): Range[] {
  const kept = ranges.slice(0, most);
  const [end, last] = [kept.at(-1), ranges.at(-1)];
  return end && last ? [...kept.slice(0, -1), { first: end.first, last: last.last }] : kept;
}
