import { parseNotificationRequest } from '@parley/domain/parse/notification-request';
import { parsePushToken } from '@parley/domain/parse/push-token';
import type { Handler, Route } from './route.ts';
import { runWeighed } from '../limits/run-weighed.ts';
import { announcementWeight } from '../limits/weights.ts';

const registerPushToken: Handler = async ({ pushTokens }, { appId, userId, incarnation, body }) => {
  const session = incarnation === undefined ? {} : { userIncarnation: incarnation };
  await pushTokens.registerPushToken({ appId, userId, ...session, token: parsePushToken(body) });
  return { status: 202 };
};

const deletePushToken: Handler = async ({ pushTokens }, { appId, userId, params }) => {
  await pushTokens.deletePushToken({ appId, userId, deviceId: params['device_id'] ?? '' });
  return { status: 202 };
};

const requestNotification: Handler = async (ctx, request) => {
  const { appId, body } = request;
  const notification = { appId, ...parseNotificationRequest(ctx.wire, body) };
  await runWeighed(ctx, request, {
    weight: announcementWeight(notification.userIds.length),
    work: () => ctx.notifications.requestNotification(notification),
  });
  return { status: 202 };
};

export const pushTokens: Route[] = [
  {
    method: 'POST',
    path: '/push_tokens',
    auth: 'session',
    summary: 'Register a device for pushes',
    handle: registerPushToken,
  },
  {
    method: 'DELETE',
    path: '/push_tokens/:device_id',
    auth: 'session',
    summary: 'Remove a device from pushes',
    handle: deletePushToken,
  },
];

export const serverNotifications: Route[] = [
  {
    method: 'POST',
    path: '/apps/:app_uuid/notifications',
    auth: 'bearer',
    summary: 'Push without a message',
    handle: requestNotification,
  },
];
