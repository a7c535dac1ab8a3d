import { inSpan, isTracing, linksTo, markFailed, SpanKind } from '@parley/kit/runtime/telemetry/tracing';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import type { Outcome } from './call.ts';

type Attempted = Pick<ClaimedDelivery, 'id' | 'app_id' | 'webhook_id' | 'tries' | 'traceparent'>;

/**
 * Calls a target in a span of its own trace, since attempts may be days after the request that led to the event, with a link to
 * that. Of the target's address it has the host alone, since paths and queries may hold secrets.
 */
export function inAttemptSpan(delivery: Attempted, url: URL, call: () => Promise<Outcome>): Promise<Outcome> {
  if (!isTracing()) return call();
  const options = {
    kind: SpanKind.CLIENT,
    root: true,
    links: linksTo([delivery.traceparent]),
    attributes: {
      'http.request.method': 'POST',
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      'parley.app_id': delivery.app_id,
      'parley.webhook_id': delivery.webhook_id,
      'parley.delivery_id': delivery.id,
      'parley.attempt': delivery.tries + 1,
    },
  };
  return inSpan('webhook delivery attempt', options, async (span) => {
    const outcome = await call();
    const { status } = outcome;
    if (status !== undefined) span?.setAttribute('http.response.status_code', status);
    if (span && (status === undefined || status >= 400)) markFailed(span, String(status ?? 'no answer'));
    return outcome;
  });
}
