import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { changeConversation } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { addChange, writeChanges, type EventBody } from '../log/append.ts';
import { requireExisting, requireParticipant } from '../conversation/access.ts';
import { updateCache, versionsOf, type Versions } from '../message/cached/update-cache.ts';
import type { ConversationPositions } from './mark-progress.ts';
import { actorOf, loadProgress, type LoadedProgress } from './load-progress.ts';
import { progressStatements } from './save-progress.ts';
import type { Progress } from './progress.ts';
import { coarsen, type Range } from './ranges.ts';
import {
  touchConversation,
  updateConversations,
  type ConversationRow,
  type LockedConversation,
} from '../sql/conversation/conversation.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { conversationKey } from '../sql/keys.ts';
import { listUnreadSenders } from '../sql/read-state/hidden-unread.ts';
import { write } from '../sql/statement.ts';
import { participantRef } from '../sql/conversation/participant.ts';

/** An event names at most so many ranges, to stay well below the broker's limit. */
const MAX_RANGES = 5000;

/** `position` undefined, or beyond the last message: up to the last message. */
export type MarkRequest = {
  appId: string;
  conversationId: string;
  userId: string;
  position?: number | undefined;
  requestId: string;
};

/** How a user's messages up to a position get a status. */
export type Marker = {
  /** Whether the status is one of the user's own, which they keep where the type has no receipts. */
  isOwn: boolean;
  /** Marks them, and returns the ranges that did not have the status. */
  mark(progress: Progress, position: number, positions: ConversationPositions): Range[];
  /** The event of it. */
  eventOf(marked: Marked): EventBody;
};

export type Marked = {
  conversation: ConversationRow;
  loaded: LoadedProgress;
  position: number;
  /** Not empty. */
  ranges: Range[];
  /** Senders of messages up to `position` that may not have the status. */
  unmarkedSenderIds: string[];
  requestId: string;
};

/** Marks what a user has of a conversation up to a position, in one transaction, and returns the position. */
export async function markUpTo(ctx: Context, request: MarkRequest, marker: Marker) {
  const { position, appId, conversationId } = request;
  if (!isUuid(conversationId)) return failNotFound('conversation', conversationId);
  if (position !== undefined && (!Number.isSafeInteger(position) || position < 0)) {
    return fail('invalid_property', { property: 'position' });
  }
  return changeConversation(
    ctx,
    { appId, id: conversationId },
    {
      share: (work) => ctx.shares.run(appId, work),
      work: (tx, conversation) => markInTransaction(ctx, tx, { request, marker, conversation }),
    },
  );
}

type Marking = { request: MarkRequest; marker: Marker; conversation: LockedConversation | undefined };

async function markInTransaction(ctx: Context, tx: Tx, { request, marker, conversation: locked }: Marking) {
  const { appId, conversationId, userId, requestId } = request;
  const conversation = requireExisting(locked, { id: conversationId, userId });
  const key = { appId, conversationId, userId };
  const query = { ...key, position: conversation.head, hasExclusions: conversation.excluded_count > 0 };
  const [loaded] = await loadProgress(tx, [query], 'all');
  if (!loaded) return failNotFound('conversation', conversationId);
  const { progress, exclusions } = loaded;
  requireParticipant(progress.row, conversationId);
  const before = versionsOf([conversation]);
  const { head } = conversation;
  const position = Math.min(request.position ?? head, head);
  if (loaded.areReceiptsOff && !marker.isOwn) return { position };
  const ranges = marker.mark(progress, position, { head, exclusions });
  if (progress.changed) {
    const marked = { conversation, loaded, position, ranges: coarsen(ranges, MAX_RANGES), requestId };
    await writeMarked(ctx, tx, { marker, marked });
    tx.afterCommit(
      () => noteInCache(ctx, { conversation, before, progress }),
      () => ctx.conversationCache.drop(appId, conversationId),
    );
  }
  return { position };
}

type Change = { conversation: ConversationRow; before: Versions; progress: Progress };

function noteInCache(
  { conversationCache: cache }: Context,
  { conversation, before, progress }: Change,
): void {
  const { app_id, id } = conversation;
  // Without an event `changed_at` moved in the database alone.
  if (conversation.seq === before.get(conversationKey(app_id, id))?.seq) cache.drop(app_id, id);
  else updateCache(cache, { conversations: [conversation], before, progresses: [progress], senders: [] });
}

type ToWrite = { marker: Marker; marked: Omit<Marked, 'unmarkedSenderIds'> };

async function writeMarked(ctx: Context, tx: Tx, { marker, marked }: ToWrite) {
  const { conversation, loaded, ranges } = marked;
  const { progress } = loaded;
  // Only a watermark moved: no event.
  if (ranges.length === 0)
    return write(tx, [touchConversation(conversation), ...progressStatements([progress])]);
  const unmarkedSenderIds = await listUnreadSenders(
    tx,
    participantRef(progress.row),
    hasSideTable(conversation, 'shadow'),
  );
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    isAwaited: loaded.isAwaited && !loaded.areReceiptsOff,
    onlyUserIds: loaded.areReceiptsOff ? [progress.row.user_id] : [],
    body: marker.eventOf({ ...marked, unmarkedSenderIds }),
  });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [updateConversations([conversation]), ...progressStatements([progress])],
  });
}
