import { outcomeOfAnswer, type BatchOutcome } from './outcome.ts';
import { STAGE_SECONDS_BUCKETS, type Metrics } from '../../runtime/telemetry/metrics.ts';

/** Measures the batches of a batcher; times in milliseconds. */
export type BatchObserver<O = unknown> = {
  /** Name of the batcher in metrics and traces. */
  readonly name: string;
  /** `waitedMs`: how long the oldest item of the batch has waited. */
  begun(items: number, waitedMs: number): void;
  ended(ranMs: number): void;
  /** Describes the outcome of an item for its span; called only with tracing. */
  outcomeOf(answer: O): BatchOutcome;
};

const LABELS = ['batcher'] as const;
const ITEMS_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Measures batches in the metrics of the process, under the name of their batcher. `outcomeOf` defaults to the `kind` of the answer. */
export function observeBatches<O = unknown>(
  metrics: Metrics,
  name: string,
  outcomeOf: (answer: O) => BatchOutcome = outcomeOfAnswer,
): BatchObserver<O> {
  const items = metrics.histogram({
    name: 'batch_items',
    help: 'Items of a batch, by batcher.',
    labelNames: LABELS,
    buckets: ITEMS_BUCKETS,
  });
  const wait = metrics.histogram({
    name: 'batch_wait_seconds',
    help: 'Time that the oldest item of a batch waited for it, by batcher.',
    labelNames: LABELS,
    buckets: STAGE_SECONDS_BUCKETS,
  });
  const run = metrics.histogram({
    name: 'batch_run_seconds',
    help: 'Time that a batch ran, by batcher.',
    labelNames: LABELS,
    buckets: STAGE_SECONDS_BUCKETS,
  });
  const [ofItems, ofWait, ofRun] = [items.labels(name), wait.labels(name), run.labels(name)];
  return {
    name,
    begun(count, waitedMs) {
      ofItems.observe(count);
      ofWait.observe(waitedMs / 1000);
    },
    ended: (ranMs) => ofRun.observe(ranMs / 1000),
    outcomeOf,
  };
}
