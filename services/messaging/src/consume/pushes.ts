import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import { eventFilter } from '@parley/domain/events';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { emitPushes } from '../push-events.ts';
import { listMembersAt } from '../sql/push-audience.ts';

/** Makes pushes of messages with a notification; sending a message does not wait for it. */
export function consumeMessages(ctx: Context): Consumer {
  return createConsumer({
    ...ctx,
    durable: 'messaging-pushes',
    filter: eventFilter('message.created'),
    schema: EventBatchSchema,
    unpack: ({ events }) => events.filter(isPushed).map((event) => ({ id: event.id, event })),
    handle: (tx, event) => pushMessage(ctx, tx, event),
    batch: 16,
    lingerMs: 50,
  });
}

/** Makes pushes that no message brings. */
export function consumeNotifications(ctx: Context): Consumer {
  return createConsumer({
    ...ctx,
    durable: 'messaging-notifications',
    filter: eventFilter('notification.requested'),
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handle: (tx, event) => pushNotification(ctx, tx, event),
    batch: 4,
  });
}

// SPEC Notification object: without one there is no push. Of low significance for all: no push either.
function isPushed({ body }: Event): boolean {
  if (body.case !== 'messageCreated' || !body.value.message?.notification) return false;
  return !body.value.message.low || body.value.contraryUserIds.length > 0;
}

async function pushMessage(ctx: Context, tx: Tx, source: Event): Promise<void> {
  const { body, conversationId, appId: app_id, seq } = source;
  if (body.case !== 'messageCreated') return;
  const { message, hiddenFrom, contraryUserIds } = body.value;
  if (!message?.notification) return;
  const place = { app_id, conversation_id: conversationId, position: message.position };
  const withheld = new Set(hiddenFrom);
  const contrary = new Set(contraryUserIds);
  const members = await listMembersAt(tx, place, { seq, userIds: message.low ? contraryUserIds : null });
  const userIds = members.filter((userId) => {
    if (userId === message.sender?.userId || withheld.has(userId)) return false;
    return contrary.has(userId) === message.low;
  });
  const about = { conversationId, messageId: message.id };
  await emitPushes(ctx, tx, { source, userIds, notification: message.notification, about });
}

async function pushNotification(ctx: Context, tx: Tx, source: Event): Promise<void> {
  const { body } = source;
  if (body.case !== 'notificationRequested' || !body.value.notification) return;
  const { userIds, notification } = body.value;
  await emitPushes(ctx, tx, { source, userIds, notification });
}
