import type { Range } from '../ranges.ts';

/** The ranges, and how often one of them was looked at. */
export function countedRanges(ranges: Range[]): { ranges: Range[]; looks: () => number } {
  let looks = 0;
  const counted = new Proxy(ranges, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { ranges: counted, looks: () => looks };
}
