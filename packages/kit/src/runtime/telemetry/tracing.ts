import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';

export { SpanKind, type Attributes, type Link, type Span } from '@opentelemetry/api';

/** The carrier of a trace: header-like, e.g. `traceparent`. */
export type TraceCarrier = Record<string, string>;

export type SpanOptions = {
  /** Default: internal. */
  kind?: SpanKind;
  /** Default: the current span. */
  parent?: Context;
  /** Whether the span begins a trace. */
  root?: boolean;
  attributes?: Attributes;
  links?: Link[];
};

/** Largest number of contexts to which a span is linked. */
const MAX_LINKS = 64;
/** W3C Trace Context, version 00, of a sampled trace. */
const SAMPLED = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f][13579bdf]$/;

let tracing = false;

/**
 * Sends spans to an OTLP/HTTP endpoint (`http://host:4318`). Without one tracing is off and costs nothing. Gives the
 * function that sends the remaining spans and turns tracing off.
 */
export async function startTracing(options: {
  service: string;
  endpoint?: string | undefined;
}): Promise<() => Promise<void>> {
  if (!options.endpoint) return () => Promise.resolve();
  const { startExport } = await import('./tracing-export.ts');
  const stop = startExport(options.service, options.endpoint);
  tracing = true;
  return async () => {
    tracing = false;
    await stop();
  };
}

/** Whether spans are recorded. */
export function isTracing(): boolean {
  return tracing;
}

/** Writes the current trace into `carrier`, and gives it back. */
export function inject<C extends TraceCarrier>(carrier: C): C {
  if (tracing) propagation.inject(context.active(), carrier);
  return carrier;
}

/** The trace that `inject` wrote. */
export function extract(carrier: TraceCarrier): Context {
  return tracing ? propagation.extract(context.active(), carrier) : context.active();
}

/** The `traceparent` of a carrier, for storing; undefined without tracing, and unless it is a valid one of a sampled trace. */
export function sampledTraceOf(carrier: TraceCarrier): string | undefined {
  const traceparent = tracing ? carrier['traceparent'] : undefined;
  return traceparent !== undefined && SAMPLED.test(traceparent) ? traceparent : undefined;
}

/** The `traceparent` of the current span, if it is sampled; undefined without tracing. */
export function currentTrace(): string | undefined {
  return tracing ? sampledTraceOf(inject({})) : undefined;
}

/** Links to the first 64 of some traces, each of them once. */
export function linksTo(traceparents: Iterable<string | null | undefined>): Link[] {
  const links: Link[] = [];
  for (const traceparent of new Set(traceparents)) {
    const context = traceparent ? trace.getSpanContext(extract({ traceparent })) : undefined;
    if (context && links.push({ context }) === MAX_LINKS) break;
  }
  return links;
}

/** Starts a span, which its caller ends; undefined without tracing. */
export function openSpan(
  name: string,
  { kind = SpanKind.INTERNAL, parent, ...rest }: SpanOptions,
): Span | undefined {
  if (!tracing) return undefined;
  return trace.getTracer('parley').startSpan(name, { kind, ...rest }, parent ?? context.active());
}

/** Runs `fn` with the span as the current one. */
export function withSpan<T>(span: Span | undefined, fn: () => T): T {
  return span ? context.with(trace.setSpan(context.active(), span), fn) : fn();
}

/** `errorType`: what kind of error it was, of few values. */
export function markFailed(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs `fn` in a span of its own: a child of `parent`, or of the current span. `fn` gets it, if tracing is on. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions & {
    /** Notes what `fn` threw. Default: the exception. */
    failed?: (span: Span, error: unknown) => void;
  },
  fn: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracing) return fn();
  const { failed = recordFailure, ...rest } = options;
  const span = openSpan(name, rest);
  if (!span) return fn();
  try {
    return await context.with(trace.setSpan(options.parent ?? context.active(), span), () => fn(span));
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records an exception, and that the span failed. */
export function recordFailure(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
