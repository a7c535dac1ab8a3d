import { extract, openSpan, recordFailure, SpanKind, withSpan } from '@parley/kit/runtime/telemetry/tracing';

/**
 * Delivers events to sockets within a span, the child of the span that published them (`trace`, a `traceparent`). It does not include the
 * tick in which packets are written.
 */
export function inDeliverySpan(trace: string, events: number, deliver: () => void): void {
  const span = openSpan('deliver live events', {
    kind: SpanKind.CONSUMER,
    parent: extract({ traceparent: trace }),
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'process',
      'messaging.destination.template': 'live.{app}.{shard}.event',
      'messaging.batch.message_count': events,
    },
  });
  try {
    withSpan(span, deliver);
  } catch (error) {
    if (span) recordFailure(span, error);
    throw error;
  } finally {
    span?.end();
  }
}
