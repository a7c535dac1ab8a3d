import { setTimeout as delay } from 'node:timers/promises';
import { runInContext } from '@parley/kit/runtime/request-context';
import { isTransientOrCancelled } from '@parley/kit/rpc/transient';
import type { Attempt } from '@parley/outbound/turns/dispatcher';
import type { Context } from '../context.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { inAttemptSpan } from './attempt-span.ts';
import { call } from './call.ts';
import { prepare } from './prepare.ts';
import type { Recipients } from './recipient-statuses.ts';
import { createSettling, judge, postpone, type Verdict } from './settle.ts';

const SLOW_MS = 2000;
const SETTLE_RETRY_MS = 1000;

/** Attempts deliveries in three stages: prepare, call, settle. */
export function createAttempts(
  ctx: Context,
  { worker, recipients }: { worker: string; recipients: Recipients },
): { run: Attempt<ClaimedDelivery>; stop(): Promise<void> } {
  const { log, metrics } = ctx;
  const settling = createSettling(ctx, worker);
  const stopping = new AbortController();
  const attemptsTotal = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver, by outcome',
    labelNames: ['outcome'],
  });

  // The result of a call must not be lost: until the database stores it, the worker keeps the delivery and retries.
  async function settle(verdict: Verdict): Promise<void> {
    for (;;) {
      try {
        return await settling.add(verdict);
      } catch (error) {
        const { appId, id: deliveryId } = verdict.settlement;
        log.warn({ error, appId, deliveryId }, 'failed to store result of delivery; will retry');
      }
      if (stopping.signal.aborted) return;
      await delay(SETTLE_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    async run(delivery) {
      const { verdict, durationMs } = await runInContext({ requestId: delivery.id }, () =>
        attempt(ctx, recipients, delivery),
      );
      const { health } = verdict;
      attemptsTotal.inc({ outcome: health ?? 'postponed' });
      if (health)
        ctx.figures.add(delivery.app_id, health === 'well' ? 'webhookDeliveries' : 'failedWebhookAttempts');
      await settle(verdict);
      return { quick: health === 'well' && durationMs < SLOW_MS };
    },
    async stop() {
      stopping.abort();
      await settling.stop();
    },
  };
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
      : await inAttemptSpan(delivery, prepared.url, () => call(ctx.targets, prepared));
  const verdict = judge(delivery, outcome, { now: clock.now(), random: ctx.random() });
  return { verdict, durationMs: outcome.durationMs };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
