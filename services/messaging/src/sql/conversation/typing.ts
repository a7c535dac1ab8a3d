import type { Sql } from '@parley/kit/postgres';
import { joinRestriction, joinType, RESTRICTION_COLUMNS, type StandingRow } from '../policy/standing.ts';
import { withheldFrom } from '../identity/withheld.ts';
import { isHeldWith, type ParticipantRef } from './participant.ts';

export type TypingRow = {
  audience_shards: string;
  left_seq: number | null;
  display_name: string | null;
  avatar_url: string | null;
  /** Participants who do not see that the user types. */
  hidden_from: string[];
  frozen_at: number | null;
} & StandingRow;

const WITHHELD = withheldFrom({ appId: '$1', conversationId: '$2', actorId: '$3' });

/** A present or former participant of a conversation that is not deleted, and the shards of its audience. */
export async function findTyping(sql: Sql, ref: ParticipantRef): Promise<TypingRow | undefined> {
  const [row] = await sql.query<TypingRow>({
    name: 'find_typing',
    text: `
      select c.audience_shards, p.left_seq, i.display_name, i.avatar_url,
        array(${WITHHELD}) as hidden_from, c.frozen_at, p.role, t.rules, ${RESTRICTION_COLUMNS}
      from conversation c
      join participant p on p.app_id = c.app_id and p.conversation_id = c.id and p.user_id = $3
      left join identity_copy i on i.app_id = p.app_id and i.user_id = p.user_id
      ${joinType('$1')}
      ${joinRestriction({ appId: '$1', conversationId: '$2', userId: '$3' })}
      where c.app_id = $1 and c.id = $2 and c.deleted_at is null and ${isHeldWith()}`,
    values: [ref.appId, ref.conversationId, ref.userId],
  });
  return row;
}
