import { limits } from '@parley/contract/limits';
import type { Tx } from '@parley/kit/postgres';
import type { RestoredMessage } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { newOrderedId } from '@parley/domain/ids';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { markSideTable } from '../../sql/conversation/side-tables.ts';
import { listIdentities } from '../../sql/identity/identity-copy.ts';
import { insertReactions, type ReactionRow } from '../../sql/message/reaction.ts';
import { upsertReactionCounts, type ReactionCountRow } from '../../sql/message/reaction-count.ts';
import { write } from '../../sql/statement.ts';

/** Adds the reactions to restored messages, as of the time of each message; a shadowed message has none. Emits no events. */
export async function restoreReactions(
  tx: Tx,
  conversation: ConversationRow,
  messages: readonly RestoredMessage[],
): Promise<void> {
  const { app_id, id: conversation_id, seq } = conversation;
  const reacted = messages.flatMap(({ message }) =>
    message && message.reactions.length > 0 && !message.shadowed ? [message] : [],
  );
  if (reacted.length === 0) return;
  const userIds = new Set(reacted.flatMap(({ reactions }) => reactions.flatMap((one) => one.userIds)));
  const identities = await listIdentities(
    tx,
    [...userIds].map((userId) => ({ appId: app_id, userId })),
  );
  const incarnations = new Map(identities.map((row) => [row.user_id, row.incarnation || null]));
  const rows: ReactionRow[] = [];
  const counts: ReactionCountRow[] = [];
  for (const { position, sentAt, reactions } of reacted) {
    for (const reaction of reactions) {
      const place = { app_id, conversation_id, position, key: reaction.key };
      const own = [...new Set(reaction.userIds)].map((user_id): ReactionRow => {
        const incarnation = incarnations.get(user_id) ?? null;
        return { ...place, user_id, id: newOrderedId(), created_at: sentAt, seq, incarnation };
      });
      rows.push(...own);
      if (own.length > 0) counts.push({ ...place, ...countOf(own) });
    }
  }
  await markSideTable(tx, conversation, 'reactions');
  await write(tx, [insertReactions(rows), upsertReactionCounts(counts)]);
}

function countOf(own: readonly ReactionRow[]) {
  const newest = own.toReversed().slice(0, limits.recentReactions);
  return {
    first_id: own[0]?.id ?? '',
    count: own.length,
    recent: newest.map(({ user_id }) => user_id),
    recent_ids: newest.map(({ id }) => id),
  };
}
