import { isUuid } from '@parley/domain/ids';
import type { ListEventInterestsRequest } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import type { Context } from '../context.ts';
import { listInterests } from '../sql/log/event-interest.ts';

const MAX_PAGE = 10_000;

export async function listEventInterests({ db }: Context, request: ListEventInterestsRequest) {
  const { consumer, afterAppId, limit } = request;
  const rows = await listInterests(db, {
    consumer,
    after: isUuid(afterAppId) ? afterAppId : null,
    limit: Math.min(Math.max(limit, 1), MAX_PAGE),
  });
  return {
    interests: rows.map(({ app_id, version, is_incomplete }) => ({
      appId: app_id,
      version,
      isIncomplete: is_incomplete,
    })),
  };
}
