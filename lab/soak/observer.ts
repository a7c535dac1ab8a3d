import type { MeasuredPlatform } from '../load/platform.ts';
import { quantile } from '../load/stats.ts';
import { usedSeconds } from '../load/usage.ts';
import type { Calls } from './calls.ts';
import { storage, type Stored } from './databases.ts';
import { readNats, type Nats } from './nats.ts';
import { heapAfterCollection, holdings, type Held } from './processes.ts';
import { readGauges, type Gauges } from './gauges.ts';

/** Readings of one minute, or of the shorter period of a short run. */
export type Sample = {
  /** Minutes since the load began. */
  minute: number;
  /** Acknowledged since the load began. */
  messages: number;
  /** Answered in this period. */
  calls: number;
  notified: number;
  failures: number;
  /** Milliseconds. */
  latency: Record<'delivery p50' | 'delivery p99' | 'REST send p50' | 'REST send p99', number>;
  /** `cpu`: share of one processor, 0 to 1. */
  processes: Record<string, Held & { cpu: number; heapMiB?: number }>;
  /** Gauges by process. */
  gauges: Record<string, Gauges>;
  databases: Record<string, Stored>;
  nats: Nats;
};

export type Observer = {
  readonly samples: readonly Sample[];
  /** Takes a sample; resolves with a line about it. */
  observe(minute: number): Promise<string>;
};

type State = {
  measured: MeasuredPlatform;
  calls: Calls;
  samples: Sample[];
  used: Record<string, number>;
  usedAt: number;
};

/** The first sample begins now. */
export function startObserver(measured: MeasuredPlatform, calls: Calls): Observer {
  const state: State = {
    ...{ measured, calls, samples: [] },
    ...{ used: usedSeconds(measured.running.state), usedAt: performance.now() },
  };
  calls.take();
  return { samples: state.samples, observe: (minute) => observe(state, minute) };
}

async function observe(state: State, minute: number): Promise<string> {
  const { running, metricsPorts } = state.measured;
  const done = state.calls.take();
  const delivery = done.deliveries.sort((a, b) => a - b);
  const sends = done.sends.sort((a, b) => a - b);
  const gauges = await readGauges(metricsPorts);
  const processes = await observeProcesses(state);
  const before = state.samples.at(-1)?.messages ?? 0;
  const sample: Sample = {
    ...{ minute, messages: before + done.messages, calls: done.calls, notified: done.notified },
    failures: state.calls.failures.count,
    latency: {
      ...{ 'delivery p50': quantile(delivery, 0.5), 'delivery p99': quantile(delivery, 0.99) },
      ...{ 'REST send p50': quantile(sends, 0.5), 'REST send p99': quantile(sends, 0.99) },
    },
    ...{ processes, gauges },
    databases: await storage(running.state.postgres_url),
    nats: await readNats(running.state),
  };
  state.samples.push(sample);
  const { latency } = sample;
  return (
    `minute ${minute.toFixed(1)}: ${done.messages} messages, ${sample.failures} failures so far, ` +
    `delivery p50 ${latency['delivery p50'].toFixed(1)} p99 ${latency['delivery p99'].toFixed(1)} ms, ` +
    `messaging ${processes['messaging']?.heapMiB?.toFixed(1)} MiB, gateway ${processes['gateway']?.heapMiB?.toFixed(1)} MiB`
  );
}

async function observeProcesses(state: State): Promise<Sample['processes']> {
  const { running, inspectorPorts } = state.measured;
  const used = usedSeconds(running.state);
  const now = performance.now();
  const seconds = (now - state.usedAt) / 1_000;
  const share = (name: string) => ((used[name] ?? 0) - (state.used[name] ?? 0)) / seconds;
  const processes: Sample['processes'] = {};
  for (const [name, held] of Object.entries(holdings(running.state))) {
    const port = inspectorPorts[name];
    const heap = port === undefined ? {} : { heapMiB: await heapAfterCollection(port) };
    processes[name] = { ...held, cpu: share(name), ...heap };
  }
  Object.assign(state, { used, usedAt: now });
  return processes;
}
