import type { Sql } from '@parley/kit/postgres';
import { isHeld, type ParticipantRef } from '../conversation/participant.ts';
import type { Statement } from '../statement.ts';

/** Notes that a participant hid an unread message of a sender. */
export function insertHiddenUnread(
  { appId, conversationId, userId }: ParticipantRef,
  senderId: string,
): Statement {
  return {
    name: 'insert_hidden_unread',
    text: `
      insert into hidden_unread (app_id, conversation_id, user_id, sender_id)
      values ($1::uuid, $2::uuid, $3::text, $4::text) on conflict do nothing`,
    values: [appId, conversationId, userId, senderId],
  };
}

/**
 * Participants whose messages may stay unread: the user hid some of them unread, once blocked the sender, or does not see shadowed ones of
 * them. `hasShadowed`: whether the conversation has any.
 */
export async function listUnreadSenders(
  sql: Sql,
  ref: ParticipantRef,
  hasShadowed: boolean,
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_unread_senders',
    text: `
      select p.user_id from participant p
      where p.app_id = $1 and p.conversation_id = $2 and p.left_seq is null and p.user_id <> $3 and ${isHeld()} and (
        exists (
          select from hidden_unread h
          where h.app_id = $1 and h.conversation_id = $2 and h.user_id = $3 and h.sender_id = p.user_id)
        or exists (
          select from block_version b
          where b.app_id = $1 and b.blocked_user_id = p.user_id and b.owner_user_id = $3)
        or ($4 and exists (
          select from message m
          where m.app_id = $1 and m.conversation_id = $2 and m.sender_id = p.user_id and m.shadowed)))
      order by p.user_id`,
    values: [ref.appId, ref.conversationId, ref.userId, hasShadowed],
  });
  return rows.map((row) => row.user_id);
}
