import { createConsumer, type Consumer, type Work } from '@parley/kit/consume';
import { eventFilter } from '@parley/domain/events';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { preparePushes } from '../push-events.ts';
import { listMembersAt } from '../sql/push-audience.ts';

/** Makes pushes of messages with a notification; sending a message does not wait for it. */
export function consumeMessages(ctx: Context): Consumer {
  return createConsumer({
    ...ctx,
    durable: 'messaging-pushes',
    filter: eventFilter('message.created'),
    schema: EventBatchSchema,
    unpack: ({ events }) => events.filter(isPushed).map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    prepare: (event) => pushMessage(ctx, event),
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
    appOf: ({ appId }) => appId,
    prepare: (event) => pushNotification(ctx, event),
    batch: 4,
  });
}

// SPEC Notification object: without one there is no push. Of low significance for all: no push either.
function isPushed({ body }: Event): boolean {
  if (body.case !== 'messageCreated' || !body.value.message?.notification) return false;
  return !body.value.message.low || body.value.contraryUserIds.length > 0;
}

async function pushMessage(ctx: Context, source: Event): Promise<Work> {
  const { body, conversationId, appId: app_id, seq } = source;
  if (body.case !== 'messageCreated') return noWork;
  const { message, hiddenFrom, contraryUserIds } = body.value;
  if (!message?.notification) return noWork;
  const place = { app_id, conversation_id: conversationId, position: message.position };
  const withheld = new Set(hiddenFrom);
  const contrary = new Set(contraryUserIds);
  const members = await listMembersAt(ctx.db, place, { seq, userIds: message.low ? contraryUserIds : null });
  const userIds = members.filter((userId) => {
    if (userId === message.sender?.userId || withheld.has(userId)) return false;
    return contrary.has(userId) === message.low;
  });
  const about = { conversationId, messageId: message.id };
  return preparePushes(ctx, { source, userIds, notification: message.notification, about });
}

async function pushNotification(ctx: Context, source: Event): Promise<Work> {
  const { body } = source;
  if (body.case !== 'notificationRequested' || !body.value.notification) return noWork;
  const { userIds, notification } = body.value;
  return preparePushes(ctx, { source, userIds, notification });
}

async function noWork(): Promise<void> {}
