import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import {
  isHeld,
  isHeldBy,
  PARTICIPANT_COLUMNS,
  type ParticipantRef,
  type ParticipantRow,
} from '../conversation/participant.ts';
import { isOwnShadowed } from '../message/shadowed.ts';
import { column } from '../statement.ts';

/** A user in a conversation; the columns of the participant are null when there is none. */
export type UnreadRow = ParticipantRow & {
  /** Index of the query. */
  item: number;
  is_participant: boolean;
  seq: number;
  head: number;
  deleted_at: number | null;
  // The conversation's low and deleted positions beyond what the user has read.
  exclusion_blocks: number[] | null;
  low: Uint8Array[];
  deleted: Uint8Array[];
  last_message_id: string | null;
};

/** Whether message `m` is there for the participant `p`, who has not hidden it individually. */
const IS_SHOWN = `(m.deleted_at is null or ${isOwnShadowed('m', 'p.user_id')})
          and (p.hidden_count = 0 or coalesce((
            select get_bit(b.hidden, (m.position % 256)::int) from participant_block b
            where b.app_id = p.app_id and b.conversation_id = p.conversation_id and b.user_id = p.user_id
              and b.block = m.position / 256), 0) = 0)`;

/** Leaves out pairs whose conversation does not exist. */
export function listUnread(sql: Sql, pairs: readonly ParticipantRef[]): Promise<UnreadRow[]> {
  return sql.query<UnreadRow>({
    name: 'list_unread',
    text: `
      select wanted.ordinal::int4 - 1 as item, ${PARTICIPANT_COLUMNS}, p.user_id is not null as is_participant,
        c.seq, c.head, c.deleted_at, excluded.blocks as exclusion_blocks, excluded.low, excluded.deleted,
        coalesce(newest.id, shown.id) as last_message_id
      from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality
        as wanted (app_id, conversation_id, user_id, ordinal)
      join ${lookUp('conversation', 'c', 'c.app_id = wanted.app_id and c.id = wanted.conversation_id')} on true
      left join ${lookUp(
        'participant',
        'p',
        `p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id
        and p.user_id = wanted.user_id and ${isHeld()}`,
      )} on true
      cross join lateral (
        select array_agg(b.block) as blocks, array_agg(b.low) as low, array_agg(b.deleted) as deleted
        from conversation_block b
        where c.excluded_count > 0 and b.app_id = wanted.app_id and b.conversation_id = wanted.conversation_id
          and b.block >= (greatest(p.read_until, p.hidden_until) + 1) / 256
      ) as excluded
      left join lateral (
        select m.id from message m
        where p.unseen is null and m.app_id = p.app_id and m.conversation_id = p.conversation_id
          and m.position > p.hidden_until and m.position <= coalesce(p.left_head, c.head) and ${IS_SHOWN}
        order by m.position desc limit 1
      ) as newest on true
      left join lateral (
        select of_part.id from unnest(
          int8multirange(int8range(p.hidden_until + 1, greatest(coalesce(p.left_head, c.head), p.hidden_until) + 1)) - p.unseen
        ) as part (positions)
        cross join lateral (
          select m.position, m.id from message m
          where m.app_id = p.app_id and m.conversation_id = p.conversation_id
            and m.position >= lower(part.positions) and m.position < upper(part.positions) and ${IS_SHOWN}
          order by m.position desc limit 1
        ) as of_part
        where p.unseen is not null
        order by of_part.position desc limit 1
      ) as shown on true`,
    values: [column(pairs, 'appId'), column(pairs, 'conversationId'), column(pairs, 'userId')],
  });
}

export type CandidateRow = { app_id: string; conversation_id: string; user_id: string };

/**
 * Conversations, of each user after an id and at most `limit`, that the user takes part in and may have unread messages in, by user
 * and id.
 */
export function listUnreadCandidates(
  sql: Sql,
  {
    appId,
    users,
    limit,
  }: { appId: string; users: readonly { userId: string; after: string }[]; limit: number },
): Promise<CandidateRow[]> {
  return sql.query<CandidateRow>({
    name: 'list_unread_candidates',
    text: `
      select p.app_id, p.conversation_id, p.user_id
      from unnest($2::text[], $3::uuid[]) with ordinality as wanted (user_id, after, ordinal)
      cross join lateral (
        select p.app_id, p.conversation_id, p.user_id
        from participant p
        join ${lookUp('conversation', 'c', 'c.app_id = p.app_id and c.id = p.conversation_id')} on true
        where p.app_id = $1 and p.user_id = wanted.user_id and p.conversation_id > wanted.after and c.deleted_at is null
          and p.left_seq is null and c.head > greatest(p.read_until, p.hidden_until)
          and ${isHeldBy('p', '$1', 'wanted.user_id')}
        order by p.conversation_id limit $4) p
      order by wanted.ordinal, p.conversation_id`,
    values: [appId, column(users, 'userId'), column(users, 'after'), limit],
  });
}
