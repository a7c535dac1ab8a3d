import type { Notice } from '@parley/domain/json/webhook-body';
import { bulkReceiptOf } from '@parley/domain/events/bulk-receipt';
import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import type { WebhookEvent } from '@parley/domain/events/webhook-events';
import type { TraceOf } from '@parley/kit/durable/consume';
import type { Tx } from '@parley/kit/postgres';
import { erasedVersion } from '@parley/domain/incarnation';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { recordNotices, type AddressedNotice } from '../notices/record-notices.ts';
import { noticesOf } from '../notices/notices-of-event.ts';
import { insertErasures } from '../sql/erasure.ts';
import { insertExpansion, type NewExpansion } from '../sql/expansion.ts';
import { listSubscriptions, type Subscription } from '../sql/webhook.ts';

/** Deliveries that one batch of events makes, in all and for one application. A timer makes the rest, in turn. */
const MAX_DELIVERIES = 4000;
const MAX_DELIVERIES_OF_APP = 1000;

function isBulk(event: Event): boolean {
  const { body } = event;
  const isOwnOnly = body.case === 'allRead' && body.value.ownOnly;
  return !isOwnOnly && bulkReceiptOf(event) !== undefined;
}

/** Whether an event makes notices or deletes some. */
export function isOfInterest(event: Event): boolean {
  return event.body.case === 'userErased' || isBulk(event) || noticesOf(event).length > 0;
}

/** Stores the notices and deliveries that events make. Each webhook gets each notice once. */
export async function recordEvents(
  ctx: Context,
  tx: Tx,
  { events, traceOf }: { events: readonly Event[]; traceOf: TraceOf },
) {
  const subscriptions = await listSubscriptions(tx, [...new Set(events.map(({ appId }) => appId))]);
  const { direct, later } = planRecording(events, subscriptions, traceOf);
  const erasures = events.flatMap(({ appId, body }) =>
    body.case === 'userErased'
      ? [{ appId, userId: body.value.userId, version: erasedVersion(body.value) }]
      : [],
  );
  await insertErasures(tx, erasures);
  const deliveries = await recordNotices(ctx, tx, direct);
  for (const expansion of later) await insertExpansion(tx, expansion);
  return { deliveries, expansions: later.length, erasures: erasures.length };
}

/**
 * Divides events into those that are recorded at once and those that are left to a timer: bulk receipts, and events that would
 * make more deliveries than one transaction may, so that other applications do not wait for them.
 */
function planRecording(events: readonly Event[], subscriptions: readonly Subscription[], traceOf: TraceOf) {
  const byApp = Map.groupBy(subscriptions, ({ app_id }) => app_id);
  const made = new Map<string, number>();
  const direct: AddressedNotice[] = [];
  const later: NewExpansion[] = [];
  let total = 0;
  for (const event of events) {
    const traceparent = traceOf(event);
    const notices = addressedNoticesOf(event, byApp.get(event.appId));
    const count = notices.reduce((sum, { webhookIds }) => sum + webhookIds.length, 0);
    if (count === 0) continue;
    const ofApp = (made.get(event.appId) ?? 0) + count;
    if (!isBulk(event) && ofApp <= MAX_DELIVERIES_OF_APP && total + count <= MAX_DELIVERIES) {
      made.set(event.appId, ofApp);
      total += count;
      direct.push(...notices.map((notice) => ({ ...notice, traceparent })));
    } else {
      const webhookIds = [...new Set(notices.flatMap(({ webhookIds: ids }) => ids))];
      later.push({ event, webhookIds, traceparent });
    }
  }
  return { direct, later };
}

/** The notices of an event with their subscribers. A bulk receipt has one here, which a timer expands page by page. */
function addressedNoticesOf(event: Event, subscriptions: readonly Subscription[] = []): AddressedNotice[] {
  const notices: Notice[] = isBulk(event) ? [{ type: 'Receipt.created', event }] : noticesOf(event);
  return notices.flatMap((notice) => {
    const webhookIds = subscribersOf(subscriptions, notice.type, event.createdAt);
    return webhookIds.length > 0 ? [{ notice, webhookIds }] : [];
  });
}

function subscribersOf(subscriptions: readonly Subscription[], type: WebhookEvent, at: number): string[] {
  return subscriptions
    .filter(({ events, accepts_from }) => events.includes(type) && at >= accepts_from - CLOCK_SKEW_MS)
    .map(({ id }) => id);
}
