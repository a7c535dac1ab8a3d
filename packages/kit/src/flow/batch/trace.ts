import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { isTracing } from '../../runtime/telemetry/tracing.ts';
import { outcomeOfError, type BatchOutcome } from './outcome.ts';

/** The span of an item of a batch, from its arrival to its answer. */
export type ItemSpan = {
  readonly span: Span;
  /** Time of arrival, by performance.now(). */
  readonly arrivedAt: number;
};

/** Starts a child of the current span; undefined without tracing. */
export function startItemSpan(batcher: string): ItemSpan | undefined {
  if (!isTracing()) return undefined;
  return { span: tracer().startSpan(`${batcher} wait for a batch`), arrivedAt: performance.now() };
}

export function endItemSpan({ span }: ItemSpan, { outcome, error }: BatchOutcome): void {
  span.setAttribute('parley.batch.outcome', outcome);
  if (error !== undefined) span.setAttribute('parley.batch.error', error);
  span.end();
}

/** Ends the span of an item that was rejected. */
export function failItemSpan(item: ItemSpan, error: unknown): void {
  item.span.recordException(error instanceof Error ? error : String(error));
  item.span.setStatus({ code: SpanStatusCode.ERROR });
  endItemSpan(item, outcomeOfError(error));
}

/**
 * Runs a batch in its own span, which belongs to no single request: it has links to the spans of its items, and they to it. Without tracing
 * it only runs the batch.
 */
export function inBatchSpan<T>(
  batcher: string,
  items: readonly { readonly trace: ItemSpan | undefined }[],
  run: () => Promise<T>,
): Promise<T> {
  return isTracing() ? runTraced(batcher, items, run) : run();
}

async function runTraced<T>(
  batcher: string,
  items: readonly { readonly trace: ItemSpan | undefined }[],
  run: () => Promise<T>,
): Promise<T> {
  const spans = items.flatMap(({ trace }) => trace ?? []);
  const links = spans.map(({ span }) => ({ context: span.spanContext() }));
  const attributes = { 'parley.batch.items': items.length };
  const batch = tracer().startSpan(`${batcher} batch`, { root: true, links, attributes });
  for (const { span, arrivedAt } of spans) {
    span.addLink({ context: batch.spanContext() });
    span.setAttribute('parley.batch.wait_ms', performance.now() - arrivedAt);
  }
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, batch), run);
  } finally {
    batch.end();
  }
}

function tracer() {
  return trace.getTracer('parley');
}
