import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from './participant.ts';
import { column } from '../statement.ts';

export type AudienceQuery = { appId: string; conversationId: string; leftAfterSeq: number };

/** A conversation with one of its members; `user_id` is null when it has none. */
export type AudienceRow = {
  /** Index of the query. */
  item: number;
  seq: number;
  members_seq: number;
  deleted_at: number | null;
  user_id: string | null;
  joined_seq: number;
  left_seq: number | null;
  display_name: string | null;
  avatar_url: string | null;
  /** The user's present incarnation, which the membership is of. */
  incarnation: number | null;
  /** Index of the first query whose members do not fit; null: all fit. */
  cut_at: number | null;
};

/** Bytes of an encoded member beyond its texts. */
const MEMBER_BYTES = 48;

/**
 * Participants, and users who left after `left_after_seq` unless that is 0. A deleted conversation has only those of an earlier
 * change. Returns as many of the first queries as fit into a budget in bytes, and at least one.
 */
export function listAudiences(
  sql: Sql,
  queries: readonly AudienceQuery[],
  budget: number,
): Promise<AudienceRow[]> {
  return sql.query<AudienceRow>({
    name: 'list_audiences',
    text: `
      select item, seq, members_seq, deleted_at, user_id, joined_seq, left_seq, display_name, avatar_url, incarnation, cut_at
      from (select sized.*, min(item) filter (where item > 0 and upto > $4::int8) over () as cut_at from (
      select wanted.ordinal::int4 - 1 as item, c.seq, c.members_seq, c.deleted_at, p.user_id, p.joined_seq, p.left_seq,
        i.display_name, i.avatar_url, i.incarnation,
        sum(${MEMBER_BYTES} + coalesce(octet_length(p.user_id), 0) + coalesce(octet_length(i.display_name), 0)
          + coalesce(octet_length(i.avatar_url), 0)) over (order by wanted.ordinal) as upto
      from unnest($1::uuid[], $2::uuid[], $3::int8[]) with ordinality
        as wanted (app_id, conversation_id, left_after_seq, ordinal)
      join ${lookUp('conversation', 'c', 'c.app_id = wanted.app_id and c.id = wanted.conversation_id')} on true
      left join participant p on (c.deleted_at is null or wanted.left_after_seq > 0) and p.app_id = wanted.app_id
        and p.conversation_id = wanted.conversation_id
        and (p.left_seq is null or (wanted.left_after_seq > 0 and p.left_seq > wanted.left_after_seq))
        and ${isHeld()}
      left join ${lookUp('identity_copy', 'i', 'i.app_id = p.app_id and i.user_id = p.user_id')} on true
      ) sized) fitting
      where cut_at is null or item < cut_at`,
    values: [
      column(queries, 'appId'),
      column(queries, 'conversationId'),
      column(queries, 'leftAfterSeq'),
      budget,
    ],
  });
}
