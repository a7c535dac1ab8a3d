import { fromBinary } from '@parley/codec';
import { eventKind } from '@parley/domain/events';
import { isUuid } from '@parley/domain/ids';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { ListLoggedEventsRequest } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import type { Context } from '../context.ts';
import { scanAppChanges } from '../sql/log/change-scan.ts';

const MAX_PAGE = 2_000;

/** Reads the log alone: no bodies, and what was deleted since is among them. */
export async function listLoggedEvents({ db }: Context, request: ListLoggedEventsRequest) {
  const { appId, since, until, after, limit } = request;
  if (!isUuid(appId)) return { events: [], isLast: true };
  const most = Math.min(Math.max(limit, 1), MAX_PAGE);
  const rows = await scanAppChanges(db, {
    since,
    until,
    after: {
      appId,
      conversationId: isUuid(after?.conversationId ?? '') ? after!.conversationId : NIL_UUID,
      seq: after?.seq ?? 0,
    },
    limit: most,
  });
  return {
    isLast: rows.length < most,
    events: rows.map((row) => {
      const event = fromBinary(EventSchema, row.event);
      const kind = event.body.case === undefined ? '' : eventKind(event);
      return {
        id: event.id,
        kind,
        conversationId: row.conversation_id,
        seq: row.seq,
        createdAt: row.created_at,
      };
    }),
  };
}
