import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { addChange, writeChanges } from '../log/append.ts';
import { actorOf, loadProgress } from '../read-state/load-progress.ts';
import { unreadCount } from '../read-state/unread.ts';
import { updateConversations } from '../sql/conversation/conversation.ts';
import { addOwedChange } from '../sql/conversation/membership.ts';
import { participantRef } from '../sql/conversation/participant.ts';
import { listIdentities } from '../sql/identity/identity-copy.ts';
import { positionOf } from '../sql/message/message-at.ts';
import { deleteVersions } from '../sql/message/message-version.ts';
import { eraseMessage } from '../sql/message/message.ts';
import { hideShadowed, moveBackOwnPlace } from '../sql/message/shadowed.ts';
import { write } from '../sql/statement.ts';
import type { MessageDeletion } from './delete.ts';
import { toMessage } from './record.ts';
import { NO_READERS, readersOf } from './shadow.ts';

/** Empties a message that counts as deleted already. Its sender alone learns of it, with webhooks and exports. */
export async function deleteShadowed(
  ctx: Context,
  tx: Tx,
  { conversation, message: row, userId, isOfErased = false }: MessageDeletion,
): Promise<void> {
  const [actor] = userId ? await listIdentities(tx, [{ appId: row.app_id, userId }]) : [];
  const message = toMessage(row);
  const change = addChange(ctx, conversation, {
    actor: userId ? basicIdentity(actor ?? { user_id: userId }) : undefined,
    onlyUserIds: isOfErased ? [...NO_READERS] : readersOf(message),
    body: { case: 'messageDeleted', value: { messageId: row.id, position: row.position, message } },
  });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      eraseMessage(row, { userId: userId ?? null, at: change.event.createdAt }),
      deleteVersions(positionOf(row)),
      updateConversations([conversation]),
    ],
  });
  if (!isOfErased) await write(tx, [moveBackOwnPlace(row)]);
}

/** Hides a shadowed message from its sender, who may have been removed. Problem: not_found. */
export async function hideOwnShadowed(
  ctx: Context,
  tx: Tx,
  { conversation, message, userId }: MessageDeletion & { userId: string },
): Promise<void> {
  const { app_id: appId, conversation_id: conversationId, position, id: messageId } = message;
  const [loaded] = await loadProgress(tx, [{ appId, conversationId, userId, position, hasExclusions: true }]);
  if (!loaded) return failNotFound('message', messageId);
  const { progress, exclusions } = loaded;
  if (position <= progress.row.hidden_until) return;
  const unreadMessageCount = unreadCount(progress, conversation.head, exclusions);
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    isAwaited: loaded.isAwaited,
    onlyUserIds: [userId],
    body: { case: 'messageHidden', value: { userId, messageId, position, unreadMessageCount } },
  });
  const { left_seq } = progress.row;
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      hideShadowed(message),
      left_seq === null ? undefined : addOwedChange(participantRef(progress.row), change.event.seq),
      updateConversations([conversation]),
    ],
  });
}
