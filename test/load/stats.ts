/** What one scenario measured; times in milliseconds. */
export type Figures = {
  name: string;
  count: number;
  seconds: number;
  p50: number;
  p99: number;
  cpu: Record<string, number>;
  note?: string;
};

export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** Runs `total` calls with `inFlight` of them under way at any time; resolves with the time each took. */
export const drive = async (
  total: number,
  inFlight: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> => {
  const times: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < total) {
      const index = next++;
      const began = performance.now();
      await call(index);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return times.sort((a, b) => a - b);
};

/** Empty for what has no calls to time. */
const milliseconds = (ms: number): string => (ms > 0 ? ms.toFixed(2) : '');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A Markdown table: a row a scenario, CPU in microseconds per item and process. */
export const table = (rows: readonly Figures[]): string => {
  const processes = [...new Set(rows.flatMap(({ cpu }) => Object.keys(cpu)))];
  const head = [
    'scenario',
    'items',
    'items/s',
    'p50 ms',
    'p99 ms',
    ...processes.map((name) => `${name} µs`),
    'note',
  ];
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map((row) =>
      line([
        row.name,
        String(row.count),
        Math.round(row.count / row.seconds).toLocaleString('en'),
        milliseconds(row.p50),
        milliseconds(row.p99),
        ...processes.map((name) => (row.cpu[name] === undefined ? '' : row.cpu[name].toFixed(0))),
        row.note ?? '',
      ]),
    ),
  ].join('\n');
};
