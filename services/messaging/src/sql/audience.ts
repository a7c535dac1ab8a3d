import { lookUp } from '@parley/kit/look-up';
import type { Sql } from '@parley/kit/postgres';
import { column } from './statement.ts';

export type AudienceQuery = { app_id: string; conversation_id: string; left_after_seq: number };

/** A conversation and one of its members, or nobody. */
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
};

/** Present members, and those who left after a change unless that is 0. */
export function listAudiences(sql: Sql, queries: readonly AudienceQuery[]): Promise<AudienceRow[]> {
  return sql.query<AudienceRow>({
    name: 'list_audiences',
    text: `
      select wanted.ordinal::int4 - 1 as item, c.seq, c.members_seq, c.deleted_at, p.user_id, p.joined_seq, p.left_seq,
        i.display_name, i.avatar_url
      from unnest($1::uuid[], $2::uuid[], $3::int8[]) with ordinality
        as wanted (app_id, conversation_id, left_after_seq, ordinal)
      join ${lookUp('conversation', 'c', 'c.app_id = wanted.app_id and c.id = wanted.conversation_id')} on true
      left join participant p on c.deleted_at is null and p.app_id = wanted.app_id
        and p.conversation_id = wanted.conversation_id
        and (p.left_seq is null or (wanted.left_after_seq > 0 and p.left_seq > wanted.left_after_seq))
      left join ${lookUp('identity_copy', 'i', 'i.app_id = p.app_id and i.user_id = p.user_id')} on true`,
    values: [
      column(queries, 'app_id'),
      column(queries, 'conversation_id'),
      column(queries, 'left_after_seq'),
    ],
  });
}
