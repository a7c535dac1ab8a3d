import { inSpan, isTracing, linksTo, markFailed, SpanKind } from '@parley/kit/runtime/telemetry/tracing';
import type { Outcome } from '../provider/outcome.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';

type Attempted = Pick<ClaimedDelivery, 'id' | 'app_id' | 'provider' | 'attempts' | 'traceparent'>;

/**
 * Sends a push in a span of its own trace, since attempts may be hours after the request that led to it, with a link to that.
 * It has neither the device's token nor the address.
 */
export function inAttemptSpan(delivery: Attempted, send: () => Promise<Outcome>): Promise<Outcome> {
  if (!isTracing()) return send();
  const options = {
    kind: SpanKind.CLIENT,
    root: true,
    links: linksTo([delivery.traceparent]),
    attributes: {
      'parley.app_id': delivery.app_id,
      'parley.delivery_id': delivery.id,
      'parley.attempt': delivery.attempts + 1,
      'parley.push.provider': delivery.provider,
    },
  };
  return inSpan('push attempt', options, async (span) => {
    const outcome = await send();
    span?.setAttribute('parley.attempt.outcome', outcome.kind);
    if (span && outcome.kind !== 'delivered') markFailed(span, outcome.kind);
    return outcome;
  });
}
