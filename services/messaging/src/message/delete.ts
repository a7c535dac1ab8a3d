import { noBits, withBit, withoutBit } from '@parley/domain/bits';
import type { Tx } from '@parley/kit/postgres';
import { basicIdentity } from '../identity/basic-identity.ts';
import { bitOf, bitmapOf } from '../read-state/bitmap.ts';
import { parseRanges } from '../read-state/ranges.ts';
import type { Context } from '../context.ts';
import { addChange, writeChanges } from '../log/append.ts';
import { deleteShadowed } from './delete-shadowed.ts';
import { toMessage } from './record.ts';
import { attachReactions } from '../reaction/attach.ts';
import { upsertConversationBitmaps } from '../sql/read-state/conversation-bitmap.ts';
import { findNewestSeen } from '../conversation/newest-seen.ts';
import { listMovingPlaces, moveListPlaces } from '../sql/conversation/list-place.ts';
import { updateConversations, type ConversationRow } from '../sql/conversation/conversation.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { listIdentities } from '../sql/identity/identity-copy.ts';
import { getDeletionState, uncoverDeleted, type DeletionState } from '../sql/message/message-deletion.ts';
import { deleteReactionsOfMessage } from '../sql/message/reaction.ts';
import { deleteVersions } from '../sql/message/message-version.ts';
import { eraseMessage, type ShownMessageRow } from '../sql/message/message.ts';
import { positionOf } from '../sql/message/message-at.ts';

export type MessageDeletion = {
  /** Locked. */
  conversation: ConversationRow;
  message: ShownMessageRow;
  /** Absent: a server deletes. */
  userId?: string;
  /** The sender is erased; their user id may be another person's now. */
  isOfErased?: boolean;
};

const NOBODY = { userId: '', hiddenUntil: 0, unseen: [] };

/** Empties a message for all participants. Its position stays taken. */
export async function deleteMessageForAll(ctx: Context, tx: Tx, deletion: MessageDeletion): Promise<void> {
  const { conversation, message, userId } = deletion;
  if (message.shadowed) return deleteShadowed(ctx, tx, deletion);
  const newest = await findNewestOther(tx, conversation, message.position);
  const state = await getDeletionState(tx, positionOf(message), newest);
  const seen = await findMovedPlaces(tx, { conversation, message, newest });
  const [actor] = userId ? await listIdentities(tx, [{ appId: message.app_id, userId }]) : [];
  conversation.deleted_count += 1;
  if (!message.low) conversation.excluded_count += 1;
  conversation.last_message_at = state.newest_at ?? conversation.created_at;
  const shown = toMessage(message);
  await attachReactions(tx, { appId: message.app_id, userId: '' }, { conversation, messages: [shown] });
  const change = addChange(ctx, conversation, {
    actor: userId ? basicIdentity(actor ?? { user_id: userId }) : undefined,
    body: {
      case: 'messageDeleted',
      value: {
        messageId: message.id,
        position: message.position,
        message: shown,
        hiddenFrom: state.hidden_from,
      },
    },
  });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      eraseMessage(message, { userId: userId ?? null, at: change.event.createdAt }),
      deleteVersions(positionOf(message)),
      ...(hasSideTable(conversation, 'reactions') ? deleteReactionsOfMessage(positionOf(message)) : []),
      moveListPlaces(positionOf(message), { head: conversation.head, newest, seen }),
      updateConversations([conversation]),
      upsertConversationBitmaps([withDeleted(message, state)]),
      uncoverDeleted(positionOf(message), message.low),
    ],
  });
}

/** The position of the newest other message that is not deleted; 0: there is none. */
async function findNewestOther(tx: Tx, conversation: ConversationRow, without: number): Promise<number> {
  const { app_id: appId, id: conversationId, head, deleted_count: deletedCount } = conversation;
  if (deletedCount === 0) return without === head ? head - 1 : head;
  const found = await findNewestSeen(tx, { appId, conversationId, head, without }, [NOBODY]);
  return found.get(NOBODY.userId) ?? 0;
}

/** Finds, for participants who block the senders of all newer messages, the newest message that they see without this one. */
async function findMovedPlaces(
  tx: Tx,
  { conversation, message, newest }: MessageDeletion & { newest: number },
): Promise<Map<string, number>> {
  const places = await listMovingPlaces(tx, positionOf(message), newest);
  if (places.length === 0) return new Map();
  const { app_id: appId, id: conversationId, head } = conversation;
  return findNewestSeen(
    tx,
    { appId, conversationId, head, without: message.position },
    places.map(({ user_id: userId, hidden_until: hiddenUntil, unseen }) => ({
      userId,
      hiddenUntil,
      unseen: parseRanges(unseen ?? ''),
    })),
  );
}

// A position is either low or deleted, never both, so that the counts of both can be added.
function withDeleted({ app_id, conversation_id, position }: ShownMessageRow, state: DeletionState) {
  const bit = bitOf(position);
  return {
    app_id,
    conversation_id,
    block: bitmapOf(position),
    low: withoutBit(state.low_bits ?? noBits(), bit),
    deleted: withBit(state.low_bits ? state.deleted_bits : noBits(), bit),
  };
}
