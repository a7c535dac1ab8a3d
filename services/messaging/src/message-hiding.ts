import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from './context.ts';
import { addChange, createEmission } from './events.ts';
import { actorOf, loadProgress } from './progress-load.ts';
import { isRead, limitOf } from './progress.ts';
import { recordHidden } from './progress-changes.ts';
import { progressParts } from './progress-parts.ts';
import { contains } from './ranges.ts';
import { updateConversations } from './sql/conversation.ts';
import { insertHiddenUnread } from './sql/hidden-unread.ts';
import { oweChange } from './sql/membership.ts';
import { write } from './sql/statement.ts';
import { unreadCount } from './unread.ts';
import type { Deletion } from './message-deletion.ts';

/** Hides a message on one user's devices, also of somebody who was removed; hiding it again changes nothing. */
export async function hideMessage(
  ctx: Context,
  tx: Tx,
  { conversation, message, userId }: Deletion & { userId: string },
): Promise<void> {
  const { app_id, conversation_id, position } = message;
  const { head } = conversation;
  const query = {
    app_id,
    conversation_id,
    user_id: userId,
    position,
    has_exclusions: conversation.excluded_count > 0,
  };
  const [loaded] = await loadProgress(tx, [query]);
  if (!loaded || position > limitOf(loaded.progress, head)) return fail('not_found');
  const { progress, exclusions } = loaded;
  const staysUnread = contains(progress.member, position) && !isRead(progress, position);
  if (!recordHidden(progress, position, exclusions)) return;
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
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
  const emission = createEmission(ctx, [change]);
  if (progress.row.left_seq !== null) await write(tx, [oweChange(progress.row, change.event.seq)]);
  await write(tx, [
    updateConversations([conversation]),
    ...progressParts([progress]),
    staysUnread ? insertHiddenUnread(progress.row, message.sender_id) : undefined,
    ...emission.parts,
  ]);
  tx.afterCommit(emission.publish);
}
