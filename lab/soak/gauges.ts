import type { MetricsPorts } from '../load/metrics/stages.ts';

/** Gauges of a process. The value of a gauge with labels is the sum. */
export type Gauges = {
  /** 99th percentile since the last reading, in milliseconds. */
  eventLoopDelay?: number;
  /** Events that are not published yet, and the age of the oldest in seconds. */
  outboxWaiting?: number;
  outboxOldest?: number;
  /** Messages that consumers have not handled. */
  consumerWaiting?: number;
  sockets?: number;
};

const NAMES: Readonly<Record<keyof Gauges, readonly [name: string, factor: number]>> = {
  eventLoopDelay: ['nodejs_eventloop_lag_p99_seconds', 1_000],
  outboxWaiting: ['outbox_waiting', 1],
  outboxOldest: ['outbox_oldest_seconds', 1],
  consumerWaiting: ['consumer_waiting', 1],
  sockets: ['gateway_sockets', 1],
};

/** Reads the gauges of all processes, by process. */
export async function readGauges(ports: MetricsPorts): Promise<Record<string, Gauges>> {
  const all: Record<string, Gauges> = {};
  for (const [process, port] of Object.entries(ports))
    all[process] = gaugesIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  return all;
}

/** Reads the gauges of a text in Prometheus' format; gauges that it lacks are left out. */
export function gaugesIn(text: string): Gauges {
  const gauges: Gauges = {};
  for (const [key, [name, factor]] of Object.entries(NAMES)) {
    const values = [...text.matchAll(new RegExp(`^(?:[a-z]+_)??${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))];
    if (values.length > 0)
      gauges[key as keyof Gauges] = values.reduce((sum, [, value]) => sum + Number(value) * factor, 0);
  }
  return gauges;
}
