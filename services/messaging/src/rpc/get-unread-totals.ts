import type { GetUnreadTotalsRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { countUnreadTotals } from '../read-state/totals.ts';

export function getUnreadTotals({ db }: Context, { appId, userId }: GetUnreadTotalsRequest) {
  return countUnreadTotals(db, { appId, userId });
}
