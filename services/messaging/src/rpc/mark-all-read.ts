import { create } from '@parley/codec';
import { AllReadSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { MarkAllReadRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { markReadUpTo } from '../read-state/mark-progress.ts';
import { markUpTo, type Marker } from '../read-state/mark-up-to.ts';
import { unreadCount } from '../read-state/unread.ts';

/** A position beyond the last message stands for the last message. */
export function markAllRead(ctx: Context, request: MarkAllReadRequest) {
  return markUpTo(ctx, request, READ);
}

const READ: Marker = {
  isOwn: true,
  mark: markReadUpTo,
  eventOf: ({ conversation, loaded, position, ranges, unmarkedSenderIds, requestId }) => ({
    case: 'allRead',
    value: create(AllReadSchema, {
      userId: loaded.progress.row.user_id,
      position,
      newlyRead: ranges,
      unreadMessageCount: unreadCount(loaded.progress, conversation.head, loaded.exclusions),
      unreadSenderIds: unmarkedSenderIds,
      requestId,
      ownOnly: loaded.areReceiptsOff,
    }),
  }),
};
