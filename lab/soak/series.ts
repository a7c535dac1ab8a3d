import type { Sample } from './observer.ts';
import { trendOfPeaks, type Allowance, type trendOf } from './trend.ts';

/** A figure of all samples; undefined in those that lack it. */
export type Series = {
  name: string;
  unit: string;
  allowance: Allowance;
  /** Default: `trendOf`. */
  trend?: typeof trendOf;
  valueOf(sample: Sample): number | undefined;
};

/** The figures that must not grow while messages are stored. */
export function seriesOf(samples: readonly Sample[]): Series[] {
  return [
    ...ofClients(),
    // The client keeps what it waits for; it is not part of the platform.
    ...names(samples, ({ processes }) => processes)
      .filter((name) => name !== 'client')
      .flatMap(ofProcess),
    ...names(samples, ({ gauges }) => gauges).flatMap(ofGauges),
    ...names(samples, ({ databases }) => databases).flatMap((name) => ofDatabase(samples, name)),
    ...ofNats(samples),
  ];
}

function names(samples: readonly Sample[], of: (sample: Sample) => object): string[] {
  return [...new Set(samples.flatMap((sample) => Object.keys(of(sample))))].sort();
}

function ofClients(): Series[] {
  const kinds = ['delivery p50', 'delivery p99', 'REST send p50', 'REST send p99'] as const;
  return kinds.map((kind) => ({
    ...{ name: kind, unit: 'ms', allowance: { share: 0.5, amount: 5 } },
    valueOf: ({ latency }) => latency[kind],
  }));
}

function ofProcess(name: string): Series[] {
  const of = (sample: Sample) => sample.processes[name];
  return [
    {
      ...{ name: `${name}: heap after collection`, unit: 'MiB', allowance: { share: 0.1, amount: 2 } },
      valueOf: (sample) => of(sample)?.heapMiB,
    },
    {
      // It switches between levels some 50 MiB apart in a Node process, probably those of V8's space for young objects.
      ...{
        name: `${name}: resident memory`,
        unit: 'MiB',
        allowance: { share: 0.1, amount: 10 },
        trend: trendOfPeaks,
      },
      valueOf: (sample) => of(sample)?.residentMiB,
    },
    {
      // Each connection of Postgres opens the files of the tables that it meets, up to 1,000, until it is closed.
      ...{ name: `${name}: open handles`, unit: '' },
      allowance: { share: name === 'postgres' ? 0.5 : 0.1, amount: 10 },
      valueOf: (sample) => of(sample)?.handles,
    },
    {
      ...{ name: `${name}: processor`, unit: '% of one', allowance: { share: 0.25, amount: 3 } },
      valueOf: (sample) => (of(sample)?.cpu ?? 0) * 100,
    },
  ];
}

function ofGauges(name: string): Series[] {
  const of = (sample: Sample) => sample.gauges[name];
  return [
    {
      ...{ name: `${name}: event loop delay p99`, unit: 'ms', allowance: { share: 0.5, amount: 5 } },
      valueOf: (sample) => of(sample)?.eventLoopDelay,
    },
    {
      ...{ name: `${name}: events not published`, unit: '', allowance: { share: 0, amount: 20 } },
      valueOf: (sample) => of(sample)?.outboxWaiting,
    },
    {
      ...{ name: `${name}: oldest event not published`, unit: 's', allowance: { share: 0, amount: 2 } },
      valueOf: (sample) => of(sample)?.outboxOldest,
    },
    {
      ...{ name: `${name}: events not consumed`, unit: '', allowance: { share: 0, amount: 50 } },
      valueOf: (sample) => of(sample)?.consumerWaiting,
    },
  ];
}

function ofDatabase(samples: readonly Sample[], name: string): Series[] {
  const of = (sample: Sample) => sample.databases[name];
  const bounded = [...new Set(samples.flatMap((sample) => Object.keys(of(sample)?.bounded ?? {})))];
  return [
    {
      ...{ name: `${name}: connections`, unit: '', allowance: { share: 0.1, amount: 3 } },
      valueOf: (sample) => of(sample)?.connections,
    },
    {
      // Tables grow by what is stored; what a message adds to them stays the same.
      ...{ name: `${name}: bytes added by a message`, unit: '', allowance: { share: 0.15, amount: 50 } },
      valueOf: addedBytes(samples, (sample) => of(sample)?.bytes ?? 0),
    },
    {
      // A table is vacuumed when a fifth of its rows is dead.
      ...{ name: `${name}: dead rows`, unit: '% of the rows', allowance: { share: 0.2, amount: 10 } },
      valueOf: (sample) => deadShare(of(sample)?.tables ?? {}) * 100,
    },
    ...bounded.flatMap((table): Series[] => [
      {
        ...{ name: `${name}: rows of ${table}`, unit: '', allowance: { share: 0.5, amount: 50 } },
        valueOf: (sample) => of(sample)?.bounded[table]?.rows,
      },
      {
        ...{ name: `${name}: size of ${table}`, unit: 'MiB', allowance: { share: 0.2, amount: 1 } },
        valueOf: (sample) => (of(sample)?.bounded[table]?.bytes ?? 0) / 2 ** 20,
      },
    ]),
  ];
}

function deadShare(tables: Readonly<Record<string, { live: number; dead: number }>>): number {
  const all = Object.values(tables);
  const dead = all.reduce((sum, table) => sum + table.dead, 0);
  return (
    dead /
    Math.max(
      1,
      all.reduce((sum, table) => sum + table.live + table.dead, 0),
    )
  );
}

function ofNats(samples: readonly Sample[]): Series[] {
  return [
    {
      ...{ name: 'NATS: subscriptions', unit: '', allowance: { share: 0.05, amount: 10 } },
      valueOf: ({ nats }) => nats.subscriptions,
    },
    {
      ...{ name: 'NATS: connections', unit: '', allowance: { share: 0.05, amount: 2 } },
      valueOf: ({ nats }) => nats.connections,
    },
    {
      ...{ name: 'NATS: bytes added by a message', unit: '', allowance: { share: 0.15, amount: 50 } },
      valueOf: addedBytes(samples, ({ nats }) => nats.bytes),
    },
  ];
}

/** Bytes stored since the first sample, divided by the messages sent since then. */
function addedBytes([first]: readonly Sample[], bytesOf: (sample: Sample) => number): Series['valueOf'] {
  return (sample) => {
    const messages = sample.messages - (first?.messages ?? 0);
    return first && messages > 0 ? (bytesOf(sample) - bytesOf(first)) / messages : undefined;
  };
}
