import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import { HAS_PUSHES, joinType } from '../policy/standing.ts';
import type { MessagePosition } from '../message/message-at.ts';

/**
 * Users who took part at a change and still do, all or those among `userIds`. None when the message or its conversation
 * was deleted since, or its type has no pushes.
 */
export async function listParticipantsAt(
  sql: Sql,
  place: MessagePosition,
  { seq, userIds }: { seq: number; userIds: readonly string[] | null },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_members_at',
    text: `
      select p.user_id
      from message m
      join ${lookUp('conversation', 'c', 'c.app_id = m.app_id and c.id = m.conversation_id')} on c.deleted_at is null
      ${joinType('m.app_id')}
      join participant p on p.app_id = m.app_id and p.conversation_id = m.conversation_id
      where m.app_id = $1 and m.conversation_id = $2 and m.position = $3 and m.deleted_at is null
        and p.left_seq is null and p.owed @> $4::int8 and ($5::text[] is null or p.user_id = any($5::text[]))
        and ${HAS_PUSHES} and ${isHeld()}`,
    values: [place.appId, place.conversationId, place.position, seq, userIds],
  });
  return rows.map((row) => row.user_id);
}
