import { STAGE_SECONDS_BUCKETS, type Metrics } from '../runtime/telemetry/metrics.ts';

/** Measures the work of a pool of connections; times in milliseconds. */
export type PoolObserver = {
  /** A statement or transaction got its connection. */
  acquired(waitedMs: number): void;
  /** A transaction ended, by its commit or otherwise; the wait for its connection is not included. */
  ended(ranMs: number): void;
};

const LABELS = ['pool'] as const;

/** Connections of a pool, as `pg` counts them. */
export type PoolCounts = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

/** Shows in the metrics how many connections a pool has, and how many callers wait for one. */
export function observeConnections(metrics: Metrics, name: string, pool: PoolCounts): void {
  const states: Record<string, () => number> = {
    in_use: () => pool.totalCount - pool.idleCount,
    idle: () => pool.idleCount,
    waited_for: () => pool.waitingCount,
  };
  for (const [state, read] of Object.entries(states))
    metrics.reading({
      name: 'database_connections',
      help: 'Connections of a pool that are in use, idle, or waited for.',
      labels: { pool: name, state },
      read,
    });
}

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
