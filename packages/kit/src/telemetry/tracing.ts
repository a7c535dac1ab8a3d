import type { DescMethod } from '@bufbuild/protobuf';
import { context, propagation, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { Metadata } from '@grpc/grpc-js';

/** Where the trace travels: header-like, e.g. `traceparent`. */
export type TraceCarrier = Record<string, string>;

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

/** Runs `fn` in a span of its own: a child of `parent`, or of the current span. */
export async function inSpan<T>(
  name: string,
  options: { kind?: SpanKind; parent?: Context; attributes?: Record<string, string> },
  fn: () => Promise<T>,
): Promise<T> {
  if (!tracing) return fn();
  const { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() } = options;
  const span = trace.getTracer('parley').startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), fn);
  } catch (error) {
    span.recordException(error instanceof Error ? error : String(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

export function serverSpan<T>(method: DescMethod, metadata: Metadata, fn: () => Promise<T>): Promise<T> {
  if (!tracing) return fn();
  const carrier: TraceCarrier = {};
  for (const [key, value] of Object.entries(metadata.getMap()))
    if (typeof value === 'string') carrier[key] = value;
  return inSpan(
    spanName(method),
    { kind: SpanKind.SERVER, parent: extract(carrier), attributes: rpcOf(method) },
    fn,
  );
}

/** `fn` gets the entries that carry the trace to the server. */
export function clientSpan<T>(method: DescMethod, fn: (carrier: TraceCarrier) => Promise<T>): Promise<T> {
  if (!tracing) return fn(NO_TRACE);
  return inSpan(spanName(method), { kind: SpanKind.CLIENT, attributes: rpcOf(method) }, () => fn(inject({})));
}

const NO_TRACE: TraceCarrier = Object.freeze({});

function spanName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

function rpcOf(method: DescMethod): Record<string, string> {
  return { 'rpc.system': 'grpc', 'rpc.service': method.parent.typeName, 'rpc.method': method.name };
}
