import { isComplete, readFrom } from '@parley/domain/events/log-age';
import type { ListUserEventsRequest } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Context } from '../context.ts';
import { formatCursor, parseCursor } from '../replay/cursor.ts';
import { hydrate } from '../replay/hydrate.ts';
import { orderByTime } from '../replay/order.ts';
import { showToUser } from '../replay/show.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { findHorizon } from '../sql/log/change-horizon.ts';
import { listUserChanges } from '../sql/log/change-list.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 500;

/** The longest time between the timestamp of a change and its commit. */
const LATE_MS = 5000;

/**
 * The user's events since a time: each conversation in its order, each page sorted by time. Repeats some events from
 * just before that time. Problem: invalid_property (cursor).
 */
export async function listUserEvents(ctx: Context, request: ListUserEventsRequest) {
  const { appId, userId } = request;
  const now = ctx.clock.now();
  const since = readFrom(request, now);
  const limit = clampPageSize(request.pageSize, LARGEST_PAGE);
  const query = {
    appId,
    userId,
    from: since - LATE_MS,
    after: parseCursor(request.cursor),
    limit,
  };
  return readSnapshot(ctx, async (sql) => {
    const [rows, horizon] = await Promise.all([listUserChanges(sql, query), findHorizon(sql)]);
    const events = await hydrate(sql, { appId, userId, now }, rows);
    const last = rows[events.length - 1];
    const isLastPage = rows.length < limit && events.length === rows.length;
    return {
      events: orderByTime(events.flatMap((event) => showToUser(event, userId) ?? [])),
      cursor:
        isLastPage || !last ? '' : formatCursor({ conversationId: last.conversation_id, seq: last.seq }),
      complete: isComplete(since, now, Math.max(horizon, ctx.epochs.beganAt())),
    };
  });
}
