import { toBinary } from '@bufbuild/protobuf';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { WebhookEvent } from '@parley/domain/webhook-events';
import type { Tx } from '@parley/kit/postgres';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { noticesOf } from '../notices/expand.ts';
import { insertDeliveries } from '../sql/delivery.ts';
import { insertErasures } from '../sql/erasure.ts';
import { insertExpansion } from '../sql/expansion.ts';
import { insertNotices } from '../sql/notice.ts';
import { listSubscriptions, type Subscription } from '../sql/webhook.ts';

/** Clocks differ: an event may be a little older than the moment since when its webhook takes events. */
const SKEW_MS = 1000;

const alwaysOfInterest = new Set<Event['body']['case']>(['allRead', 'userErased']);

/** What becomes a notice, and what takes notices away. */
export function isOfInterest(event: Event): boolean {
  return alwaysOfInterest.has(event.body.case) || noticesOf(event).length > 0;
}

/** Makes of events what webhooks are owed; each webhook is owed each notice once. */
export async function recordEvents(ctx: Context, tx: Tx, events: readonly Event[]) {
  const subscriptions = await listSubscriptions(tx, [...new Set(events.map(({ appId }) => appId))]);
  const byApp = Map.groupBy(subscriptions, ({ app_id }) => app_id);
  const owed = events.flatMap(noticesOf).flatMap((notice) => {
    const webhookIds = takers(byApp.get(notice.event.appId), notice);
    return webhookIds.length > 0 ? [{ notice, webhookIds }] : [];
  });
  const deliveries = await recordNotices(ctx, tx, owed);
  const erasures = events.flatMap(({ appId, createdAt: at, body }) =>
    body.case === 'userErased' ? [{ appId, userId: body.value.userId, at }] : [],
  );
  await insertErasures(tx, erasures);
  let expansions = 0;
  for (const event of events) {
    if (event.body.case !== 'allRead') continue;
    const webhookIds = takers(byApp.get(event.appId), { type: 'Receipt.created', event });
    if (webhookIds.length === 0) continue;
    await insertExpansion(tx, { event, bytes: toBinary(EventSchema, event), webhookIds });
    expansions += 1;
  }
  return { deliveries, expansions, erasures: erasures.length };
}

export type OwedNotice = { notice: Notice; webhookIds: readonly string[] };

/** Returns how many deliveries these are. */
export async function recordNotices(ctx: Context, tx: Tx, owed: readonly OwedNotice[]): Promise<number> {
  const deliveries = owed.flatMap(({ notice: { event }, webhookIds }) =>
    webhookIds.map((webhookId) => ({ appId: event.appId, webhookId, id: ctx.newId(), noticeId: event.id })),
  );
  await insertNotices(
    tx,
    owed.map(({ notice }) => notice),
  );
  await insertDeliveries(tx, deliveries, ctx.clock.now());
  return deliveries.length;
}

function takers(
  subscriptions: readonly Subscription[] = [],
  { type, event }: { type: WebhookEvent; event: Event },
): string[] {
  return subscriptions
    .filter(({ events, accepts_from }) => events.includes(type) && event.createdAt >= accepts_from - SKEW_MS)
    .map(({ id }) => id);
}
