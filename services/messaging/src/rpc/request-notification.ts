import { create } from '@parley/codec';
import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/durable/once';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { RequestNotificationRequest } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import type { Context } from '../context.ts';
import { addToOutbox } from '../push/push-events.ts';

/** Users of one event, which a consumer handles in one transaction. */
const PER_EVENT = 200;

/** Stores the request as events; a consumer of these events makes the pushes. */
export async function requestNotification(
  ctx: Context,
  { appId, userIds, notification, ttlInSeconds, data }: RequestNotificationRequest,
) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  if (!notification) return fail('missing_property', { property: 'notification' });
  const event = (from: number) =>
    create(EventSchema, {
      id: ctx.newId(),
      appId,
      createdAt: ctx.clock.now(),
      body: {
        case: 'notificationRequested',
        value: {
          userIds: userIds.slice(from, from + PER_EVENT),
          notification,
          ttlInSeconds,
          ...(data && { data }),
        },
      },
    });
  const starts = Array.from(
    { length: Math.ceil(userIds.length / PER_EVENT) },
    (_, index) => index * PER_EVENT,
  );
  await ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'request notification',
      run: () => addToOutbox(ctx, tx, starts.map(event)),
      save: () => new Uint8Array(),
      load: () => undefined,
    }),
  );
  return {};
}
