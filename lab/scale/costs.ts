/** Processes and stores whose load is simulated. */
export const PARTS = ['gateway', 'messaging', 'postgres', 'nats'] as const;
export type Part = (typeof PARTS)[number];

/** Processor time by part. Seconds. */
export type Work = Record<Part, number>;

/** Processor time of one item of each kind, as the benchmark measured it. */
export type Costs = { message: Work; delivery: Work; receipt: Work; socket: Work; replayedPacket: Work };

const SCENARIOS: Record<keyof Costs, string> = {
  message: 'REST sends, 50 in flight',
  delivery: 'fan-out to 100 members, deliveries',
  receipt: 'read receipts, 200 in flight',
  socket: 'idle sockets, opened',
  replayedPacket: 'replay of 10000 messages, packets',
};

/** Reads `docs/performance/benchmark.tsv`, tab-separated figures of the benchmark. Throws when a row or a column is missing. */
export function readCosts(figures: string): Costs {
  const [columns = [], ...rows] = figures
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const workOf = (scenario: string): Work => {
    const row = rows.find(([name]) => name === scenario);
    if (!row) throw new Error(`The benchmark's figures have no row "${scenario}".`);
    const costs = PARTS.map((part) => {
      const column = columns.indexOf(`${part} µs`);
      if (column < 0) throw new Error(`The benchmark's figures have no column "${part} µs".`);
      return [part, Number(row[column] ?? '') / 1_000_000];
    });
    return Object.fromEntries(costs) as Work;
  };
  return Object.fromEntries(
    Object.entries(SCENARIOS).map(([name, scenario]) => [name, workOf(scenario)]),
  ) as Costs;
}
