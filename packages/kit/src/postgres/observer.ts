import { STAGE_SECONDS_BUCKETS, type Metrics } from '../telemetry/metrics.ts';

/** Measures the work of a pool of connections; times in milliseconds. */
export type PoolObserver = {
  /** A statement or transaction got its connection. */
  acquired(waitedMs: number): void;
  /** A transaction ended, by its commit or otherwise; the wait for its connection is not included. */
  ended(ranMs: number): void;
};

const LABELS = ['pool'] as const;

/** Measures a pool in the metrics of the process, under its name. */
export function observePool(metrics: Metrics, name: string): PoolObserver {
  const wait = metrics.histogram({
    name: 'database_wait_seconds',
    help: 'Time until a statement or a transaction got a connection, by pool.',
    labelNames: LABELS,
    buckets: STAGE_SECONDS_BUCKETS,
  });
  const transaction = metrics.histogram({
    name: 'database_transaction_seconds',
    help: 'Time from the start of a transaction to its end, by pool.',
    labelNames: LABELS,
    buckets: STAGE_SECONDS_BUCKETS,
  });
  const [ofWait, ofTransaction] = [wait.labels(name), transaction.labels(name)];
  return {
    acquired: (waitedMs) => ofWait.observe(waitedMs / 1000),
    ended: (ranMs) => ofTransaction.observe(ranMs / 1000),
  };
}
