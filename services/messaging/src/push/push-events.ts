import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { encodeEvents } from '@parley/domain/events/encode';
import { durableSubject } from '@parley/domain/events';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Tx } from '@parley/kit/postgres';
import { EventSchema, PushRequestedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { PushTarget } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { countUnreadTotalsOf, type UnreadTotals } from '../read-state/totals.ts';
import { listAwaitedApps } from '../sql/log/event-interest.ts';

/** A push to some users, for a message or a notification. */
export type PushOrder = {
  /** The event that caused the push. */
  source: Event;
  userIds: readonly string[];
  notification: Notification;
  /** The message, if the push is for one. */
  message?: { conversationId: string; messageId: string; sender?: BasicIdentity | undefined };
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Data for the app on the device, if the push is for no message. */
  data?: JsonObject | undefined;
};

/** Users of one call to the identity service. */
const PAGE = 500;

/**
 * Makes a push.requested event, with the current badge, for each user who has devices. Returns a function that emits the
 * events in a transaction. The id of an event follows from its source and its user, so that a connector that receives
 * it twice pushes once.
 */
export async function preparePushes(ctx: Context, order: PushOrder): Promise<(tx: Tx) => Promise<void>> {
  const { appId } = order.source;
  const isAwaited = (await listAwaitedApps(ctx.db, [appId])).length > 0;
  const events: Event[] = [];
  for (let from = 0; from < order.userIds.length; from += PAGE) {
    const userIds = order.userIds.slice(from, from + PAGE);
    const targets = await callInHalves(userIds, async (some) => {
      return (await ctx.pushTokens.listPushTargets({ appId, userIds: some })).targets;
    });
    const unread = await countUnreadTotalsOf(ctx.db, {
      appId,
      userIds: targets.map(({ userId }) => userId),
    });
    for (const target of targets)
      events.push(toEvent(ctx, { ...order, isAwaited }, { target, unread: unread.get(target.userId) }));
  }
  return (tx) => addToOutbox(ctx, tx, events);
}

function toEvent(
  ctx: Context,
  order: PushOrder & { isAwaited: boolean },
  { target, unread }: { target: PushTarget; unread: UnreadTotals | undefined },
): Event {
  const { source, notification, message, expiresAt, data, isAwaited } = order;
  const { userId, tokens, externalUnreadCount } = target;
  const value = create(PushRequestedSchema, {
    userId,
    tokens,
    notification,
    ...(message && { conversationId: message.conversationId, messageId: message.messageId }),
    ...(message?.sender && { sender: message.sender }),
    ...(data && { data }),
    expiresAt,
    isAwaited,
    badge: { ...unread, externalUnreadCount },
  });
  return create(EventSchema, {
    id: derivedId(source.id, userId),
    appId: source.appId,
    createdAt: ctx.clock.now(),
    body: { case: 'pushRequested', value },
  });
}

/** Stores durable events of one app and kind, and of no conversation, for publication. Sockets do not get them. */
export async function addToOutbox(ctx: Context, tx: Tx, events: readonly Event[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  const subject = durableSubject(first);
  await ctx.outbox.add(tx, encodeEvents(events).map((payload) => ({ subject, payload }))); // prettier-ignore
}
