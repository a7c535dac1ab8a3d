import { parseNotificationRequest } from '@parley/domain/parse/notification-request';
import { runWeighed } from '../admission/limits/run-weighed.ts';
import { announcementWeight } from '../admission/limits/weights.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from './request/route.ts';
import type { Uses } from './context.ts';

export async function requestNotification(
  ctx: Uses<'limits' | 'notifications' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, body } = request;
  const notification = { appId, ...parseNotificationRequest(ctx.wire, body) };
  await runWeighed(ctx, request, {
    weight: announcementWeight(notification.userIds.length),
    work: () => ctx.notifications.requestNotification(notification),
  });
  return { status: 202 };
}
