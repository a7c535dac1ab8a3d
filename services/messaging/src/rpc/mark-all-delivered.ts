import { create } from '@parley/codec';
import { AllDeliveredSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { MarkAllDeliveredRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { markDeliveredUpTo } from '../read-state/mark-progress.ts';
import { markUpTo, type Marker } from '../read-state/mark-up-to.ts';

/** A position beyond the last message stands for the last message. */
export function markAllDelivered(ctx: Context, request: MarkAllDeliveredRequest) {
  return markUpTo(ctx, request, DELIVERED);
}

const DELIVERED: Marker = {
  isOwn: false,
  mark: markDeliveredUpTo,
  eventOf: ({ loaded, position, ranges, unmarkedSenderIds, requestId }) => ({
    case: 'allDelivered',
    value: create(AllDeliveredSchema, {
      userId: loaded.progress.row.user_id,
      position,
      newlyDelivered: ranges,
      undeliveredSenderIds: unmarkedSenderIds,
      requestId,
    }),
  }),
};
