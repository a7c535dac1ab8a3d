import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import { HAS_PUSHES, joinType } from '../policy/standing.ts';
import { column } from '../statement.ts';

export type PushedMessage = { conversationId: string; messageId: string; userId: string };

/**
 * Indexes of the messages that their users still are to see: neither message nor conversation is deleted, the user takes part,
 * has not read or hidden it, and does not block its sender.
 */
export async function listWantedPushes(
  sql: Sql,
  appId: string,
  pushed: readonly PushedMessage[],
): Promise<Set<number>> {
  const rows = await sql.query<{ item: number }>({
    name: 'list_wanted_pushes',
    text: `
      select wanted.ordinal::int4 - 1 as item
      from unnest($2::uuid[], $3::uuid[], $4::text[]) with ordinality
        as wanted (conversation_id, message_id, user_id, ordinal)
      join ${lookUp('message', 'm', 'm.app_id = $1 and m.id = wanted.message_id')} on m.deleted_at is null
      join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = m.conversation_id')} on c.deleted_at is null
      ${joinType('$1')}
      join ${lookUp(
        'participant',
        'p',
        'p.app_id = $1 and p.conversation_id = m.conversation_id and p.user_id = wanted.user_id',
      )} on ${isHeld()} and p.left_seq is null and m.position > greatest(p.hidden_until, p.read_until)
      left join ${lookUp(
        'participant_block',
        'b',
        `b.app_id = $1 and b.conversation_id = m.conversation_id and b.user_id = wanted.user_id
        and b.block = m.position / 256`,
      )} on true
      where m.conversation_id = wanted.conversation_id and ${HAS_PUSHES}
        and coalesce(get_bit(b.read, (m.position % 256)::int) | get_bit(b.hidden, (m.position % 256)::int), 0) = 0
        and not exists (
          select from block_copy k
          where k.app_id = $1 and k.blocked_user_id = m.sender_id and k.owner_user_id = wanted.user_id)`,
    values: [appId, column(pushed, 'conversationId'), column(pushed, 'messageId'), column(pushed, 'userId')],
  });
  return new Set(rows.map(({ item }) => item));
}
