import { fromBinary } from '@parley/codec';
import { inAttemptSpan } from '@parley/outbound/attempt-span';
import { createAttempts, type Attempts } from '@parley/outbound/deliveries';
import { PushContentSchema } from '@parley/proto/parley/push/v1/push_pb';
import type { AppCache } from '../app-cache.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../provider/outcome.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import type { PushSettings } from '../sql/push-settings.ts';
import { createChecks, type Checked, type Checks } from './check.ts';
import type { Sender } from './send.ts';
import { drop, judge, postpone, storeResults, type Result } from './settle.ts';
import { settledEvent } from './settled-event.ts';

const SLOW_MS = 2000;
const DELIVERY_SECONDS_BUCKETS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 600, 3600];

type Parts = { checks: Checks; sender: Sender };
type Attempted = { settlement: Result; outcome: string; quick: boolean };

/** Attempts deliveries in three stages: check, send, settle. */
export function createPushAttempts(
  ctx: Context,
  { worker, sender, settings }: { worker: string; sender: Sender; settings: AppCache<PushSettings> },
): Attempts<ClaimedDelivery> {
  const { metrics } = ctx;
  const parts = { checks: createChecks(ctx, settings), sender };
  const attemptsTotal = metrics.counter({
    name: 'push_attempts_total',
    help: 'Attempts to send pushes, by provider and outcome',
    labelNames: ['provider', 'outcome'],
  });
  const deliverySeconds = metrics.histogram({
    name: 'push_delivery_seconds',
    help: 'Time from the request of a push until its push service accepted it',
    labelNames: ['provider'],
    buckets: DELIVERY_SECONDS_BUCKETS,
  });
  return createAttempts<ClaimedDelivery, Result>(ctx, {
    what: 'push',
    async attempt(delivery) {
      const { settlement, outcome, quick } = await attempt(ctx, parts, delivery);
      const { provider, created_at: createdAt } = delivery;
      attemptsTotal.inc({ provider, outcome });
      if (settlement.isAttempt)
        ctx.figures.add(delivery.app_id, outcome === 'delivered' ? 'pushDeliveries' : 'failedPushAttempts');
      if (outcome === 'delivered')
        deliverySeconds.observe({ provider }, (ctx.clock.now() - createdAt) / 1000);
      return { result: settlement, quick };
    },
    settle: (results) => storeResults(ctx, worker, results),
    stop: () => parts.checks.stop(),
  });
}

async function attempt(ctx: Context, parts: Parts, delivery: ClaimedDelivery): Promise<Attempted> {
  const { clock, log } = ctx;
  if (delivery.expires_at <= clock.now()) return dropped(ctx, delivery, 'expired');
  const began = performance.now();
  try {
    const checked = await parts.checks.check(delivery);
    if (!checked.isWanted) return dropped(ctx, delivery, checked.reason);
    const outcome = await inAttemptSpan(spanOf(delivery), () => send(ctx, parts, { delivery, checked }));
    if (outcome.kind === 'gone') await unregister(ctx, delivery, checked.token.token);
    const settlement = judge(delivery, outcome, { now: clock.now(), random: ctx.random() });
    const quick = outcome.kind !== 'failed' && performance.now() - began < SLOW_MS;
    const event = settledEvent(delivery, settlement, checked.incarnation);
    return { settlement: { ...settlement, event }, outcome: outcome.kind, quick };
  } catch (error) {
    const { app_id: appId, id: deliveryId } = delivery;
    log.warn({ error, appId, deliveryId }, 'failed to prepare push; postponed');
    return { settlement: postpone(delivery, clock.now()), outcome: 'postponed', quick: false };
  }
}

function dropped({ clock }: Context, delivery: ClaimedDelivery, reason: string): Attempted {
  return { settlement: drop(delivery, reason, clock.now()), outcome: 'dropped', quick: true };
}

function send(
  ctx: Context,
  { sender }: Parts,
  { delivery, checked }: { delivery: ClaimedDelivery; checked: Checked & { isWanted: true } },
): Promise<Outcome> {
  const content = fromBinary(PushContentSchema, delivery.content);
  const { settings } = checked;
  const collapsed = settings.collapseByConversation ? (delivery.conversation_id ?? undefined) : undefined;
  return sender.send({
    appId: delivery.app_id,
    token: checked.token,
    content,
    badge: checked.badge,
    identity: collapsed ?? delivery.message_id ?? delivery.event_id,
    idsOnly: settings.idsOnly,
    ...(collapsed !== undefined && { collapsesConversation: true }),
    ttl: Math.ceil((delivery.expires_at - ctx.clock.now()) / 1000),
  });
}

/** Describes an attempt for its span, which has neither the device's token nor the address. */
function spanOf(delivery: ClaimedDelivery) {
  return {
    name: 'push attempt',
    traceparent: delivery.traceparent,
    attributes: {
      'parley.app_id': delivery.app_id,
      'parley.delivery_id': delivery.id,
      'parley.attempt': delivery.attempts + 1,
      'parley.push.provider': delivery.provider,
    },
    describe: ({ kind }: Outcome) => ({
      attributes: { 'parley.attempt.outcome': kind },
      failure: kind === 'delivered' ? undefined : kind,
    }),
  };
}

/** Deletes a token that its push service does not know any more. One that was registered since is left alone. */
export async function unregister(
  { pushTokens }: Context,
  {
    app_id: appId,
    user_id: userId,
    device_id: deviceId,
  }: Pick<ClaimedDelivery, 'app_id' | 'user_id' | 'device_id'>,
  token: string,
): Promise<void> {
  await pushTokens.deletePushToken({ appId, userId, deviceId, token });
}
