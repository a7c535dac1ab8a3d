import { inAttemptSpan } from '@parley/outbound/attempt-span';
import { createAttempts, type Attempts } from '@parley/outbound/deliveries';
import { isTransientOrCancelled } from '@parley/kit/rpc/transient';
import type { Context } from '../context.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { call, type Outcome } from './call.ts';
import { prepare } from './prepare.ts';
import type { Recipients } from './recipient-statuses.ts';
import { judge, postpone, storeVerdicts, type Verdict } from './settle.ts';

const SLOW_MS = 2000;

/** Attempts deliveries in three stages: prepare, call, settle. */
export function createWebhookAttempts(
  ctx: Context,
  { worker, recipients }: { worker: string; recipients: Recipients },
): Attempts<ClaimedDelivery> {
  const attemptsTotal = ctx.metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver, by outcome',
    labelNames: ['outcome'],
  });
  return createAttempts<ClaimedDelivery, Verdict>(ctx, {
    what: 'delivery',
    async attempt(delivery) {
      const { verdict, durationMs } = await attempt(ctx, recipients, delivery);
      const { health } = verdict;
      attemptsTotal.inc({ outcome: health ?? 'postponed' });
      if (health)
        ctx.figures.add(delivery.app_id, health === 'well' ? 'webhookDeliveries' : 'failedWebhookAttempts');
      return { result: verdict, quick: health === 'well' && durationMs < SLOW_MS };
    },
    settle: (verdicts) => storeVerdicts(ctx, worker, verdicts),
  });
}

async function attempt(
  ctx: Context,
  recipients: Recipients,
  delivery: ClaimedDelivery,
): Promise<{ verdict: Verdict; durationMs: number }> {
  const { clock, log } = ctx;
  if (delivery.is_erased) return { verdict: postpone(delivery, clock.now()), durationMs: 0 };
  const prepared = await prepare(ctx, recipients, delivery).catch((error: unknown) => asError(error));
  if (prepared instanceof Error) {
    const willWait = isTransientOrCancelled(prepared);
    const message = willWait
      ? 'failed to prepare delivery; postponed'
      : 'failed to prepare delivery; counts as attempt';
    log.warn({ error: prepared, appId: delivery.app_id, deliveryId: delivery.id }, message);
    if (willWait) return { verdict: postpone(delivery, clock.now()), durationMs: 0 };
  }
  const outcome =
    prepared instanceof Error
      ? { durationMs: 0, error: 'the notification could not be made' }
      : await inAttemptSpan(spanOf(delivery, prepared.url), () => call(ctx.targets, prepared));
  const verdict = judge(delivery, outcome, { now: clock.now(), random: ctx.random() });
  return { verdict, durationMs: outcome.durationMs };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Describes an attempt for its span, which names only the host of the target: paths and queries may hold secrets. */
function spanOf(delivery: ClaimedDelivery, url: URL) {
  return {
    name: 'webhook delivery attempt',
    traceparent: delivery.traceparent,
    attributes: {
      'http.request.method': 'POST',
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      'parley.app_id': delivery.app_id,
      'parley.webhook_id': delivery.webhook_id,
      'parley.delivery_id': delivery.id,
      'parley.attempt': delivery.tries + 1,
    },
    describe: ({ status }: Outcome) => ({
      attributes: status === undefined ? {} : { 'http.response.status_code': status },
      failure: status === undefined || status >= 400 ? String(status ?? 'no answer') : undefined,
    }),
  };
}
