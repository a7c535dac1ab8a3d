/** Counts by name. A name with count 0 takes no memory. */
export type Counter = {
  of(name: string): number;
  total(): number;
  add(name: string, change: number): void;
};

export function createCounter(): Counter {
  const counts = new Map<string, number>();
  let sum = 0;
  return {
    of: (name) => counts.get(name) ?? 0,
    total: () => sum,
    add(name, change) {
      sum += change;
      const count = (counts.get(name) ?? 0) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}
