import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { MarkAllReadRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { changeConversation } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { addChange, writeChanges } from '../log/append.ts';
import { requireExisting, requireParticipant } from '../conversation/access.ts';
import { updateCache, versionsOf, type Versions } from '../message/cached/update-cache.ts';
import { markReadUpTo } from '../read-state/mark-progress.ts';
import { actorOf, loadProgress, type LoadedProgress } from '../read-state/load-progress.ts';
import { progressStatements } from '../read-state/save-progress.ts';
import type { Progress } from '../read-state/progress.ts';
import { coarsen, type Range } from '../read-state/ranges.ts';
import {
  touchConversation,
  updateConversations,
  type ConversationRow,
  type LockedConversation,
} from '../sql/conversation/conversation.ts';
import { conversationKey } from '../sql/keys.ts';
import { listUnreadSenders } from '../sql/read-state/hidden-unread.ts';
import { write } from '../sql/statement.ts';
import { unreadCount } from '../read-state/unread.ts';
import { participantRef } from '../sql/conversation/participant.ts';

/** An event names at most so many ranges, to stay well below the broker's limit. */
const MAX_RANGES = 5000;

/** A position beyond the last message stands for the last message. */
export async function markAllRead(ctx: Context, request: MarkAllReadRequest) {
  const { position } = request;
  if (!isUuid(request.conversationId)) return failNotFound('conversation', request.conversationId);
  if (position !== undefined && (!Number.isSafeInteger(position) || position < 0)) {
    return fail('invalid_property', { property: 'position' });
  }
  const { appId, conversationId } = request;
  return changeConversation(
    ctx,
    { appId, id: conversationId },
    {
      share: (work) => ctx.shares.run(appId, work),
      work: (tx, conversation) => markInTransaction(ctx, tx, request, conversation),
    },
  );
}

async function markInTransaction(
  ctx: Context,
  tx: Tx,
  request: MarkAllReadRequest,
  locked: LockedConversation | undefined,
) {
  const { appId, conversationId, userId, requestId } = request;
  const conversation = requireExisting(locked, { id: conversationId, userId });
  const key = { appId, conversationId, userId };
  const query = { ...key, position: conversation.head, hasExclusions: conversation.excluded_count > 0 };
  const [loaded] = await loadProgress(tx, [query], 'all');
  if (!loaded) return failNotFound('conversation', conversationId);
  requireParticipant(loaded.progress.row, conversationId);
  const before = versionsOf([conversation]);
  const { head } = conversation;
  const position = Math.min(request.position ?? head, head);
  const newlyRead = markReadUpTo(loaded.progress, position, { head, exclusions: loaded.exclusions });
  if (loaded.progress.changed) {
    await writeAllRead(ctx, tx, { conversation, loaded, position, newlyRead, requestId });
    tx.afterCommit(
      () => noteInCache(ctx, { conversation, before, progress: loaded.progress }),
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

type AllRead = {
  conversation: ConversationRow;
  loaded: LoadedProgress;
  position: number;
  newlyRead: Range[];
  requestId: string;
};

async function writeAllRead(ctx: Context, tx: Tx, read: AllRead) {
  const { conversation, loaded, position, newlyRead, requestId } = read;
  const { progress, exclusions } = loaded;
  const { user_id } = progress.row;
  // Only a watermark moved: no event.
  if (newlyRead.length === 0)
    return write(tx, [touchConversation(conversation), ...progressStatements([progress])]);
  const unreadSenderIds = await listUnreadSenders(tx, participantRef(progress.row));
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    isAwaited: loaded.isAwaited,
    body: {
      case: 'allRead',
      value: {
        userId: user_id,
        position,
        newlyRead: coarsen(newlyRead, MAX_RANGES),
        unreadMessageCount: unreadCount(progress, conversation.head, exclusions),
        unreadSenderIds,
        requestId,
      },
    },
  });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [updateConversations([conversation]), ...progressStatements([progress])],
  });
}
