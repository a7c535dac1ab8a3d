import type { DropEventInterestsRequest } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import type { Context } from '../context.ts';
import { deleteInterests } from '../sql/log/event-interest.ts';

export async function dropEventInterests({ db }: Context, request: DropEventInterestsRequest) {
  await deleteInterests(db, request.consumer, request.interests);
  return {};
}
