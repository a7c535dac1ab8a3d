/** A histogram of one process, as Prometheus' text format has it; `buckets` are cumulative, in order of their bounds. */
export type HistogramValue = {
  /** Name of the metric. */
  name: string;
  /** Labels without `le`. */
  labels: Readonly<Record<string, string>>;
  sum: number;
  count: number;
  buckets: readonly { bound: number; count: number }[];
};

const SAMPLE = /^([a-z_]+)_(bucket|sum|count)\{(.*)\} (\S+)/i;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/gi;

/** The histograms of a text of Prometheus' format, by name and labels. */
export function parseHistograms(text: string): Map<string, HistogramValue> {
  const types = new Set([...text.matchAll(/^# TYPE (\S+) histogram$/gm)].map(([, name]) => name));
  const found = new Map<string, HistogramValue & { buckets: { bound: number; count: number }[] }>();
  for (const line of text.split('\n')) {
    const [, name = '', kind, labelText = '', value] = SAMPLE.exec(line) ?? [];
    if (!types.has(name)) continue;
    const { le, ...labels } = labelsOf(labelText);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    const histogram = found.get(key) ?? { name, labels, sum: 0, count: 0, buckets: [] };
    found.set(key, histogram);
    if (kind === 'sum') histogram.sum = Number(value);
    else if (kind === 'count') histogram.count = Number(value);
    else histogram.buckets.push({ bound: le === '+Inf' ? Infinity : Number(le), count: Number(value) });
  }
  return found;
}

/** Observations between two readings; histograms without an observation are left out. */
export function subtractHistograms(
  after: ReadonlyMap<string, HistogramValue>,
  before: ReadonlyMap<string, HistogramValue>,
): HistogramValue[] {
  return [...after].map(([key, now]) => subtract(now, before.get(key))).filter(({ count }) => count > 0);
}

/** Estimated by a straight line within the bucket; the highest finite bound for what lies above it. */
export function quantileOf({ buckets, count }: HistogramValue, q: number): number {
  const rank = q * count;
  const index = buckets.findIndex((bucket) => bucket.count >= rank);
  const bucket = buckets[index];
  if (!bucket) return 0;
  const lower = buckets[index - 1] ?? { bound: 0, count: 0 };
  if (bucket.bound === Infinity) return lower.bound;
  const within = bucket.count - lower.count;
  const share = within > 0 ? (rank - lower.count) / within : 1;
  return lower.bound + (bucket.bound - lower.bound) * share;
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name, value]));
}

function subtract(now: HistogramValue, before: HistogramValue | undefined): HistogramValue {
  if (!before) return now;
  const buckets = now.buckets.map(({ bound, count }, index) => ({
    bound,
    count: count - (before.buckets[index]?.count ?? 0),
  }));
  return { ...now, sum: now.sum - before.sum, count: now.count - before.count, buckets };
}
