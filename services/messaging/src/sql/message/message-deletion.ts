import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import type { MessagePosition } from './message-at.ts';
import type { Statement } from '../statement.ts';

/** SQL of the incarnation of a user who deletes a message, of the application $1; null: 0. */
export function incarnationOf(userId: string): string {
  return `(
          select nullif(i.incarnation, 0) from identity_copy i where i.app_id = $1::uuid and i.user_id = ${userId}::text)`;
}

/**
 * Takes a message that is deleted for all out of participants' counts: of those who had read, sent or hidden it, or for
 * whom it was an exception of significance, and whose watermarks do not cover it.
 */
export function uncoverDeleted(
  { appId, conversationId, position }: MessagePosition,
  low: boolean,
): Statement {
  return {
    name: 'uncover_deleted',
    text: `
      update participant p
      set covered_count = p.covered_count - case
          when not p.member @> $3::int8 or $3::int8 <= greatest(p.read_until, p.hidden_until) then 0
          when not $4::boolean then 1
          when get_bit(b.read, ($3::int8 % 256)::int) = 1 or get_bit(b.hidden, ($3::int8 % 256)::int) = 1 then 0
          else -1 end,
        hidden_count = p.hidden_count - case when $3::int8 > p.hidden_until
          then get_bit(b.hidden, ($3::int8 % 256)::int) else 0 end
      from participant_block b
      where b.app_id = $1::uuid and b.conversation_id = $2::uuid and b.block = $3::int8 / 256
        and (get_bit(b.read, ($3::int8 % 256)::int) = 1 or get_bit(b.hidden, ($3::int8 % 256)::int) = 1
          or get_bit(b.contrary, ($3::int8 % 256)::int) = 1)
        and p.app_id = b.app_id and p.conversation_id = b.conversation_id and p.user_id = b.user_id`,
    values: [appId, conversationId, position, low],
  };
}

/**
 * SQL of the users who hid the message at $3 by itself, or blocked its sender when it was sent, and of those who were added without the
 * history that it is of.
 */
export const HIDDEN_FROM = `
      select user_id from participant_block
      where app_id = $1 and conversation_id = $2 and block = $3::int8 / 256
        and get_bit(hidden, ($3::int8 % 256)::int) = 1
      union all
      select p.user_id from participant p
      where p.app_id = $1 and p.conversation_id = $2 and p.unseen is not null and p.unseen @> $3::int8
        and ${isHeld()}`;

export type DeletionState = {
  /** The conversation's bitmap for the message; null: no message in it is low or deleted. */
  low_bits: Uint8Array | null;
  deleted_bits: Uint8Array;
  /** Time of the newest other message that is not deleted; null: there is none. */
  newest_at: number | null;
  /** Present and former participants who do not see the message, though they have not hidden all up to it. */
  hidden_from: string[];
};

/** `newest`: the position of the newest other message that is not deleted. */
export async function getDeletionState(
  sql: Sql,
  place: MessagePosition,
  newest: number,
): Promise<DeletionState> {
  const [row] = await sql.query<DeletionState>({
    name: 'get_deletion_state',
    text: `
      select b.low as low_bits, b.deleted as deleted_bits, newest.sent_at as newest_at,
        array(${HIDDEN_FROM}) as hidden_from
      from (select) as one
      left join message newest on newest.app_id = $1 and newest.conversation_id = $2 and newest.position = $4
      left join conversation_block b on b.app_id = $1 and b.conversation_id = $2 and b.block = $3::int8 / 256`,
    values: [place.appId, place.conversationId, place.position, newest],
  });
  return row!;
}
