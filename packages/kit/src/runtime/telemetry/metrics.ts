import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';

import { Readings, type Reading } from './readings.ts';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** A name that is registered already gives the same metric. */
export type Metrics = {
  readonly registry: Registry;
  counter<L extends string = never>(config: CounterConfiguration<L>): Counter<L>;
  histogram<L extends string = never>(config: HistogramConfiguration<L>): Histogram<L>;
  gauge<L extends string = never>(config: GaugeConfiguration<L>): Gauge<L>;
  /** A gauge whose value is read whenever the metrics are read; others of its name may have other labels. */
  reading(reading: Reading): void;
};

/** Buckets of times in seconds, from half a millisecond to the deadline of a call and beyond. */
export const SECONDS_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Buckets of times in seconds for the stages of a request, from a tenth of a millisecond. */
export const STAGE_SECONDS_BUCKETS = [0.0001, 0.00025, ...SECONDS_BUCKETS];

/** The Prometheus metrics of a process, each labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const readings = new Map<string, Readings>();
  return {
    registry,
    counter: <L extends string>(config: CounterConfiguration<L>) =>
      known<Counter<L>>(registry, config.name) ?? new Counter({ ...config, registers }),
    histogram: <L extends string>(config: HistogramConfiguration<L>) =>
      known<Histogram<L>>(registry, config.name) ??
      new Histogram({ buckets: SECONDS_BUCKETS, ...config, registers }),
    gauge: <L extends string>(config: GaugeConfiguration<L>) =>
      known<Gauge<L>>(registry, config.name) ?? new Gauge({ ...config, registers }),
    reading(reading) {
      const { name, help, labels = {} } = reading;
      const all = readings.get(name) ?? new Readings();
      all.add(reading);
      if (readings.has(name)) return;
      readings.set(name, all);
      new Gauge({
        name,
        help,
        registers,
        labelNames: Object.keys(labels),
        collect() {
          return all.collect(this);
        },
      });
    },
  };
}

/** The metrics of one of several cells: what is read of it has its name as the label `cell`, what is counted is counted for all together. */
export function metricsOfCell(metrics: Metrics, cell: string): Metrics {
  return {
    ...metrics,
    reading: (reading) => metrics.reading({ ...reading, labels: { ...reading.labels, cell } }),
  };
}

function known<M>(registry: Registry, name: string): M | undefined {
  return registry.getSingleMetric(name) as M | undefined;
}
