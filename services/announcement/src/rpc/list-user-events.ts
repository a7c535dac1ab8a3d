import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { isComplete, MAX_COMMIT_DELAY_MS, readFrom } from '@parley/domain/events/log-age';
import { ANSWER_BYTES } from '@parley/kit/rpc/byte-budget';
import type {
  ListUserEventsRequest,
  ListUserEventsResponseSchema,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { ReceivedAnnouncement } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { viewReceived } from '../announcement/view.ts';
import { listChangedSince, type ReceivedRow } from '../sql/received.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

const PAGE_SIZE = 100;

/**
 * Changes of a user's announcements since a time, in the order of positions. Announcements are kept for good, but `complete`
 * promises no more than the other logs do.
 */
export async function listUserEvents(
  ctx: Context,
  request: ListUserEventsRequest,
): RpcResponse<typeof ListUserEventsResponseSchema> {
  const { appId, userId, cursor } = request;
  const now = ctx.clock.now();
  const since = readFrom(request, now);
  const from = since - MAX_COMMIT_DELAY_MS;
  const query = { appId, userId, from, after: Number(cursor) || 0, limit: PAGE_SIZE, budget: ANSWER_BYTES };
  const rows = await listChangedSince(ctx.db, query);
  const visible = await viewReceived(
    ctx,
    appId,
    rows.filter((row) => row.deleted_at === null),
  );
  const isLastPage = rows.length < PAGE_SIZE && rows.length === (rows[0]?.found ?? 0);
  const byId = new Map(visible.map((received) => [received.announcement?.id, received]));
  return {
    events: rows.flatMap((row) => eventsOf(row, { userId, from, received: byId.get(row.id) })),
    cursor: isLastPage ? '' : String(rows.at(-1)?.position ?? ''),
    complete: isComplete(since, now, ctx.epochs.beganAt()),
  };
}

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;
type Change = { name: 'received' | 'delivered' | 'read' | 'deleted'; at: number | null; body: Body };
type Reader = { userId: string; from: number; received: ReceivedAnnouncement | undefined };

/** Makes an event for each change since `from`; without `received` the announcement is deleted. */
function eventsOf(row: ReceivedRow, { userId, from, received }: Reader): Event[] {
  const changes = received ? changesOf(row, userId, received) : [deletionOf(row)];
  return changes.flatMap(({ name, at, body }) => {
    if (at === null || at < from) return [];
    const id = derivedId(row.id, `${userId}/${name}`);
    return [create(EventSchema, { id, appId: row.app_id, createdAt: at, onlyUserIds: [userId], body })];
  });
}

function deletionOf({ id: announcementId, deleted_at: at }: ReceivedRow): Change {
  return { name: 'deleted', at, body: { case: 'announcementDeleted', value: { announcementId } } };
}

/** Lists changes in order. A delivery that was followed by a read is left out. */
function changesOf(row: ReceivedRow, userId: string, received: ReceivedAnnouncement): Change[] {
  const announcementId = row.id;
  const recipients = [{ userId, position: row.position }];
  const receipt = (type: ReceiptType): Body => ({
    case: 'announcementReceiptRecorded',
    value: { announcementId, userId, type },
  });
  return [
    {
      name: 'received',
      at: row.received_at,
      body: { case: 'announcementReceived', value: { announcementId, recipients, received } },
    },
    {
      name: 'delivered',
      at: row.read_at === null ? row.delivered_at : null,
      body: receipt(ReceiptType.DELIVERY),
    },
    { name: 'read', at: row.read_at, body: receipt(ReceiptType.READ) },
  ];
}
