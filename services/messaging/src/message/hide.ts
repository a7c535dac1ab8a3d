import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { addChange, writeChanges } from '../log/append.ts';
import { actorOf, loadProgress } from '../read-state/load-progress.ts';
import { isRead, limitOf } from '../read-state/progress.ts';
import { markHidden } from '../read-state/mark-progress.ts';
import { progressStatements } from '../read-state/save-progress.ts';
import { contains } from '../read-state/ranges.ts';
import { updateConversations } from '../sql/conversation/conversation.ts';
import { insertHiddenUnread } from '../sql/read-state/hidden-unread.ts';
import { addOwedChange } from '../sql/conversation/membership.ts';
import { write } from '../sql/statement.ts';
import { unreadCount } from '../read-state/unread.ts';
import { hideOwnShadowed } from './delete-shadowed.ts';
import type { MessageDeletion } from './delete.ts';
import { participantRef } from '../sql/conversation/participant.ts';

/** Hides a message on the devices of one user, who may have been removed. Hiding it again changes nothing. */
export async function hideMessage(
  ctx: Context,
  tx: Tx,
  { conversation, message, userId }: MessageDeletion & { userId: string },
): Promise<void> {
  if (message.shadowed) return hideOwnShadowed(ctx, tx, { conversation, message, userId });
  const { position } = message;
  const { head } = conversation;
  const query = {
    appId: message.app_id,
    conversationId: message.conversation_id,
    userId,
    position,
    hasExclusions: conversation.excluded_count > 0,
  };
  const [loaded] = await loadProgress(tx, [query]);
  if (!loaded || position > limitOf(loaded.progress, head)) return failNotFound('message', message.id);
  const { progress, exclusions } = loaded;
  if (contains(progress.unseen, position)) return failNotFound('message', message.id);
  const staysUnread = contains(progress.member, position) && !isRead(progress, position);
  if (!markHidden(progress, position, exclusions)) return;
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    isAwaited: loaded.isAwaited,
    onlyUserIds: [userId],
    body: {
      case: 'messageHidden',
      value: {
        userId,
        messageId: message.id,
        position,
        unreadMessageCount: unreadCount(progress, head, exclusions),
      },
    },
  });
  if (progress.row.left_seq !== null)
    await write(tx, [addOwedChange(participantRef(progress.row), change.event.seq)]);
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      updateConversations([conversation]),
      ...progressStatements([progress]),
      staysUnread ? insertHiddenUnread(participantRef(progress.row), message.sender_id) : undefined,
    ],
  });
}
