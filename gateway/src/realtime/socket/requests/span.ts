import { isTracing, markFailed, openSpan, SpanKind, type Span } from '@parley/kit/runtime/telemetry/tracing';

/**
 * The span of a socket's request; undefined without tracing. It begins a trace, since a socket stays open for hours: a trace of all
 * its requests would never be complete. `method`: a known one, or `unknown`.
 */
export function openRequestSpan(method: string, requestId: string): Span | undefined {
  if (!isTracing()) return undefined;
  return openSpan(method, {
    kind: SpanKind.SERVER,
    root: true,
    attributes: {
      'network.protocol.name': 'websocket',
      'parley.socket.method': method,
      'parley.request_id': requestId,
    },
  });
}

/** `status`: the status that HTTP would have. `error`: the id of the answered problem. */
export function endRequestSpan(span: Span | undefined, status: number, error: string | undefined): void {
  if (!span) return;
  span.setAttribute('parley.socket.outcome', error ?? 'success');
  if (status >= 500) markFailed(span, error ?? String(status));
  span.end();
}
