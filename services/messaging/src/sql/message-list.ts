import type { Sql } from '@parley/kit/postgres';
import { shownMessageColumns, type ShownMessageRow } from './message.ts';
import type { ParticipantRow } from './participant.ts';
import { participantColumns } from './participant.ts';

export type ListQuery = {
  app_id: string;
  conversation_id: string;
  /** Empty: a server. */
  user_id: string;
  /** Null: from the newest. */
  from_id: string | null;
};

/** A conversation that is asked for its messages; the columns of a participant are null when the user is none. */
export type ListStart = ParticipantRow & {
  head: number;
  deleted_count: number;
  conversation_deleted_at: number | null;
  is_participant: boolean;
  /** Null: no message of this conversation has that id. */
  from_position: number | null;
};

export async function findListStart(sql: Sql, query: ListQuery): Promise<ListStart | undefined> {
  const [row] = await sql.query<ListStart>({
    name: 'find_list_start',
    text: `
      select ${participantColumns}, p.user_id is not null as is_participant, c.head, c.deleted_count,
        c.deleted_at as conversation_deleted_at,
        (select m.position from message m where m.app_id = $1 and m.id = $4 and m.conversation_id = $2) as from_position
      from conversation c
      left join participant p on p.app_id = c.app_id and p.conversation_id = c.id and p.user_id = $3
      where c.app_id = $1 and c.id = $2`,
    values: [query.app_id, query.conversation_id, query.user_id, query.from_id],
  });
  return row;
}

export type PageBounds = {
  app_id: string;
  conversation_id: string;
  /** Whose hidden messages are left out; null: nothing is hidden. */
  user_id: string | null;
  /** Both excluded. */
  after: number;
  before: number;
  limit: number;
};

/** Newest first. Reads one stretch of the primary key, at whatever depth. */
export function listMessagesBefore(sql: Sql, page: PageBounds): Promise<ShownMessageRow[]> {
  return sql.query<ShownMessageRow>(messagesBefore(page));
}

export function messagesBefore({ app_id, conversation_id, user_id, after, before, limit }: PageBounds) {
  // One look-up of a key for each row: a join may read all blocks of the user.
  const unlessHidden = `
    and coalesce((
      select get_bit(b.hidden, (found.position % 256)::int) from participant_block b
      where b.app_id = $1 and b.conversation_id = $2 and b.user_id = $6 and b.block = found.position / 256), 0) = 0`;
  return {
    name: user_id === null ? 'list_messages_before' : 'list_unhidden_messages_before',
    text: `
      select ${shownMessageColumns}
      from (
        select * from message found
        where found.app_id = $1 and found.conversation_id = $2 and found.position > $3 and found.position < $4
          and found.deleted_at is null ${user_id === null ? '' : unlessHidden}
        order by found.position desc limit $5
      ) m
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id
      order by m.position desc`,
    values: [app_id, conversation_id, after, before, limit, ...(user_id === null ? [] : [user_id])],
  };
}
