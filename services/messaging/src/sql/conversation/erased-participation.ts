import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from './conversation.ts';
import { isHeld } from './participant.ts';

export type ErasedParticipation = {
  user_id: string;
  incarnation: number | null;
  /** They had not left the conversation. */
  is_present: boolean;
};

/** The participation of an erased person in a locked conversation; undefined: there is none, or it is of the present person. */
export async function findErasedParticipation(
  sql: Sql,
  { app_id, id }: Pick<ConversationRow, 'app_id' | 'id'>,
  userId: string,
): Promise<ErasedParticipation | undefined> {
  const [row] = await sql.query<ErasedParticipation>({
    name: 'find_erased_participation',
    text: `
      select p.user_id, p.incarnation, p.left_seq is null as is_present from participant p
      where p.app_id = $1 and p.conversation_id = $2 and p.user_id = $3 and not (${isHeld()})`,
    values: [app_id, id, userId],
  });
  return row;
}

/**
 * Forgets what erased persons with these user ids left in a locked conversation: membership, receipts, what they hid, and what their
 * blocks withheld. What a person with one of the ids has now stays.
 */
export async function forgetParticipations(
  sql: Sql,
  { app_id, id }: Pick<ConversationRow, 'app_id' | 'id'>,
  userIds: readonly string[],
): Promise<void> {
  await sql.execute({
    name: 'forget_participations',
    text: `
      with erased as materialized (
        select p.app_id, p.conversation_id, p.user_id from participant p
        where p.app_id = $1 and p.conversation_id = $2 and p.user_id = any($3::text[]) and not (${isHeld()})
      ), bitmaps as (
        delete from participant_block b using erased
        where b.app_id = $1 and b.conversation_id = $2 and b.user_id = erased.user_id
      ), hidden as (
        delete from hidden_unread h using erased
        where h.app_id = $1 and h.conversation_id = $2 and h.user_id = erased.user_id
      ), places as (
        delete from list_place place using erased
        where place.app_id = $1 and place.conversation_id = $2 and place.user_id = erased.user_id
      ), ends as (
        delete from page_end e using erased
        where e.app_id = $1 and e.conversation_id = $2 and e.user_id = erased.user_id
      ), versions as (
        update message_version v
        set kept_for = array(
          select keeper from unnest(v.kept_for) as keeper where keeper <> all (array(select user_id from erased)))
        where (select count(*) > 0 from erased) and v.app_id = $1 and v.conversation_id = $2
          and v.kept_for && array(select user_id from erased)
      )
      delete from participant p using erased
      where p.app_id = $1 and p.conversation_id = $2 and p.user_id = erased.user_id`,
    values: [app_id, id, userIds],
  });
}
