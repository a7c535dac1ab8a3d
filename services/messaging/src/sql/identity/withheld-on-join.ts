import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';

/** A user who is being added, and someone whom they block and whose messages the conversation may have. */
export type BlockedSender = {
  owner_user_id: string;
  blocked_user_id: string;
  /** The owner saw the messages up to this position before, or hid them. */
  seen_until: number;
};

type Place = { appId: string; conversationId: string };

/** Users whom added users block, and who took part in the conversation or sent to it from outside. Reads blocks, no messages. */
export function listBlockedSenders(
  sql: Sql,
  { appId, conversationId }: Place,
  userIds: readonly string[],
): Promise<BlockedSender[]> {
  return sql.query<BlockedSender>({
    name: 'list_blocked_senders',
    text: `
      select b.owner_user_id, b.blocked_user_id, greatest(coalesce(p.left_head, 0), coalesce(p.hidden_until, 0)) as seen_until
      from block_copy b
      left join participant p on p.app_id = $1 and p.conversation_id = $2 and p.user_id = b.owner_user_id
        and ${isHeld()}
      where b.app_id = $1 and b.owner_user_id = any ($3::text[]) and b.blocked_user_id <> b.owner_user_id
        and (exists (
            select from participant sender
            where sender.app_id = $1 and sender.conversation_id = $2 and sender.user_id = b.blocked_user_id
              and ${isHeld('sender')})
          or exists (
            select from outside_sender sender
            where sender.app_id = $1 and sender.conversation_id = $2 and sender.user_id = b.blocked_user_id))`,
    values: [appId, conversationId, userIds],
  });
}

/** Messages of some senders after a position, which are not deleted. */
export function listMessagesOf(
  sql: Sql,
  { appId, conversationId }: Place,
  { senderIds, after }: { senderIds: readonly string[]; after: number },
): Promise<{ position: number; sender_id: string }[]> {
  return sql.query({
    name: 'list_messages_of_senders',
    text: `
      select position, sender_id from message
      where app_id = $1 and conversation_id = $2 and position > $4::int8 and sender_id = any ($3::text[])
        and deleted_at is null
      order by position`,
    values: [appId, conversationId, senderIds, after],
  });
}

/** The place of a conversation in the list of a user from whom its newest messages are withheld. */
export async function writeListPlaces(
  sql: Sql,
  { appId, conversationId }: Place,
  { head, seen }: { head: number; seen: ReadonlyMap<string, number> },
): Promise<void> {
  await sql.execute({
    name: 'write_list_places',
    text: `
      insert into list_place as place (app_id, conversation_id, user_id, withheld_until, message_at)
      select c.app_id, c.id, seen.user_id, $3::int8, coalesce(m.sent_at, c.created_at)
      from unnest($4::text[], $5::int8[]) as seen (user_id, position)
      join conversation c on c.app_id = $1 and c.id = $2
      left join message m on m.app_id = $1 and m.conversation_id = $2 and m.position = seen.position
      on conflict (app_id, conversation_id, user_id) do update
      set withheld_until = excluded.withheld_until, message_at = excluded.message_at`,
    values: [appId, conversationId, head, [...seen.keys()], [...seen.values()]],
  });
}
