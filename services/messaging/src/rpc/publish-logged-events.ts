import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { publishAgain } from '@parley/kit/durable/lost-events/republish';
import type { PublishLoggedEventsRequest } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import type { Context } from '../context.ts';
import { readAppLog } from '../replay/logged-events.ts';

export async function publishLoggedEvents(ctx: Context, { appId, since }: PublishLoggedEventsRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  for await (const events of readAppLog(ctx, appId, since)) {
    await publishAgain(ctx, durableMessages(events), since);
  }
  return {};
}
