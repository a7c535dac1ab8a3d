import { isUuid } from '@parley/domain/ids';
import { failNotFound, failUnknownFromId } from '@parley/domain/problems';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import type { Sql } from '@parley/kit/postgres';
import type { ListMessagesRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { bitmapOf } from '../read-state/bitmap.ts';
import type { Context } from '../context.ts';
import { failDeleted } from '../conversation/access.ts';
import { isUnread } from '../message/view.ts';
import { toMessage } from '../message/record.ts';
import { attachReactions } from '../reaction/attach.ts';
import { createProgress, firstSeenOf, seenPart } from '../read-state/progress.ts';
import { contains, formatRanges, parseRanges, without } from '../read-state/ranges.ts';
import { listReceipts } from '../read-state/receipts.ts';
import { readSnapshotToLast } from '../transaction/snapshot.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { listExclusions } from '../sql/read-state/exclusion.ts';
import {
  findListStart,
  listMessagesBefore,
  type ListedMessageRow,
  type ListStart,
} from '../sql/message/message-list.ts';
import { countShadowed } from '../sql/message/shadowed.ts';
import { visibleCount } from '../read-state/unread.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 100;

/** Newest first. docs/protocol/requests.md#lists: `from_id` is the last message of the previous page, and may be deleted. */
export async function listMessages(ctx: Context, request: ListMessagesRequest) {
  if (!isUuid(request.conversationId)) return failNotFound('conversation', request.conversationId);
  return readSnapshotToLast(ctx, async (sql, last) => {
    const { start, rows } = await readRows(sql, request);
    return { answer: toPage(last, request, { start, rows }) };
  });
}

type Page = { start: ListStart; rows: ListedMessageRow[] };

async function readRows(sql: Sql, request: ListMessagesRequest): Promise<Page> {
  const { userId } = request;
  const start = await getStart(sql, request);
  const limit = (userId ? start.left_head : null) ?? start.head;
  const rows = await listMessagesBefore(sql, {
    ...placeOf(request),
    userId: userId && start.hidden_count > 0 ? userId : null,
    ...boundsOf(start, { userId, before: Math.min(start.from_position ?? Infinity, limit + 1) }),
    limit: clampPageSize(request.pageSize, LARGEST_PAGE),
    budget: budgetOf(request),
    shadowedFor: hasSideTable(start, 'shadow') ? userId : undefined,
    reader: userId && start.has_versions ? { userId, asOf: start.left_seq } : undefined,
  });
  return { start, rows };
}

/** The positions of a page: those of the history that the user does not see are left out. */
function boundsOf(start: ListStart, { userId, before }: { userId: string; before: number }) {
  if (!userId) return { after: 0, before };
  const progress = createProgress(start, new Map(), []);
  const after = firstSeenOf(progress) - 1;
  const seen = without(progress.unseen, { first: after + 1, last: before - 1 });
  return { after, before, seen: progress.unseen.length > 0 ? formatRanges(seen) : undefined };
}

async function toPage(sql: Sql, request: ListMessagesRequest, { start, rows }: Page) {
  const { userId } = request;
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const spans =
    newest && oldest ? [{ ...placeOf(request), first: oldest.position, last: newest.position }] : [];
  const messages = rows.map(toMessage);
  const [[receipts], counted, shadowed] = await Promise.all([
    listReceipts(sql, spans),
    userId ? countVisible(sql, start) : start.head - start.deleted_count,
    hasSideTable(start, 'shadow') ? countShadowedFor(sql, request, start) : 0,
    attachReactions(sql, request, {
      conversation: start,
      messages,
      untilSeq: userId ? start.left_seq : null,
    }),
  ]);
  if (userId && receipts) {
    for (const message of messages) message.isUnread = isUnread(receipts, start, message);
  }
  const hasMore = rows.length < (newest?.found ?? 0);
  return { messages, total: counted + shadowed, hasMore, ...(receipts && { receipts }) };
}

function placeOf({ appId, conversationId }: ListMessagesRequest) {
  return { appId, conversationId };
}

async function getStart(sql: Sql, { appId, conversationId, userId, fromId }: ListMessagesRequest) {
  const start = await findListStart(sql, {
    appId,
    conversationId,
    userId,
    fromId: isUuid(fromId) ? fromId : null,
  });
  if (!start || (userId && !start.is_participant)) return failNotFound('conversation', conversationId);
  if (start.conversation_deleted_at !== null) return failDeleted(conversationId, userId);
  if (fromId === '') return start;
  if (start.from_position === null) return failUnknownFromId();
  return userId && !isSeen(start, start.from_position) ? failUnknownFromId() : start;
}

/** A page may begin behind a message that is hidden or deleted, but not behind one that the user was never shown. */
function isSeen(start: ListStart, position: number): boolean {
  return position <= (start.left_head ?? start.head) && !contains(parseRanges(start.unseen ?? ''), position);
}

/** Shadowed messages are no part of the conversation's counts. */
async function countShadowedFor(sql: Sql, request: ListMessagesRequest, start: ListStart): Promise<number> {
  const { appId, conversationId, userId } = request;
  const whole = { conversationId, after: 0, until: start.head, unseen: null };
  const [row] = await countShadowed(sql, { appId, userId }, [userId ? seenPart(start, start.head) : whole]);
  return row?.count ?? 0;
}

async function countVisible(sql: Sql, start: ListStart): Promise<number> {
  const progress = createProgress(start, new Map(), []);
  const { app_id, conversation_id, hidden_until, left_head } = start;
  const isWhole = hidden_until === 0 && left_head === null && progress.unseen.length === 0;
  if (start.deleted_count === 0 || isWhole) return visibleCount(progress, start, new Map());
  const first_block = bitmapOf(firstSeenOf(progress));
  const rows = await listExclusions(sql, [
    { appId: app_id, conversationId: conversation_id, firstBlock: first_block },
  ]);
  return visibleCount(progress, start, new Map(rows.map((row) => [row.block, row])));
}
