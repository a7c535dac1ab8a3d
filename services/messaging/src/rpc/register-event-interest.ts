import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { RegisterEventInterestRequest } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import type { Context } from '../context.ts';
import { registerInterest } from '../log/event-interest.ts';

export async function registerEventInterest(ctx: Context, request: RegisterEventInterestRequest) {
  const { appId, consumer, since } = request;
  if (!isUuid(appId)) return failNotFound('app', appId);
  await registerInterest(ctx, { appId, consumer }, since);
  return {};
}
