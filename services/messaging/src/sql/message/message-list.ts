import type { Sql } from '@parley/kit/postgres';
import { SHOWN_MESSAGE_COLUMNS, type ShownMessageRow } from './message.ts';
import { messagesAsSeen } from './message-version.ts';
import { existsFor } from './shadowed.ts';
import type { ParticipantRow } from '../conversation/participant.ts';
import { isHeld, PARTICIPANT_COLUMNS } from '../conversation/participant.ts';

export type ListQuery = {
  appId: string;
  conversationId: string;
  /** Empty: a server asks. */
  userId: string;
  /** Null: from the newest. */
  fromId: string | null;
};

/** The start of a page of a conversation's messages. The participant's columns are null when the user is none. */
export type ListStart = ParticipantRow & {
  head: number;
  deleted_count: number;
  has_versions: boolean;
  side_tables: number;
  conversation_deleted_at: number | null;
  is_participant: boolean;
  /** Null: no message of this conversation has that id. */
  from_position: number | null;
};

export async function findListStart(sql: Sql, query: ListQuery): Promise<ListStart | undefined> {
  const [row] = await sql.query<ListStart>({
    name: 'find_list_start',
    text: `
      select ${PARTICIPANT_COLUMNS}, p.user_id is not null as is_participant, c.head, c.deleted_count, c.has_versions, c.side_tables,
        c.deleted_at as conversation_deleted_at,
        (select m.position from message m where m.app_id = $1 and m.id = $4 and m.conversation_id = $2
          and (not coalesce(m.shadowed, false) or ${existsFor('m', '$3')})) as from_position
      from conversation c
      left join participant p on p.app_id = c.app_id and p.conversation_id = c.id and p.user_id = $3
        and ${isHeld()}
      where c.app_id = $1 and c.id = $2`,
    values: [query.appId, query.conversationId, query.userId, query.fromId],
  });
  return row;
}

export type PageBounds = {
  appId: string;
  conversationId: string;
  /** The user whose hidden messages are left out; null: no message is hidden. */
  userId: string | null;
  /** Positions between these two, both excluded. */
  after: number;
  before: number;
  /** An int8multirange: those of them that the user was shown; undefined: all. */
  seen?: string | undefined;
  limit: number;
  /** Bytes; undefined: unlimited. */
  budget?: number | undefined;
  /** The reader of a conversation with versions: as of which change they see bodies, null for the present ones. */
  reader?: { userId: string; asOf: number | null } | undefined;
  /** Reader of a conversation with shadowed messages: the user, who sees their own; empty: a server, which sees all. */
  shadowedFor?: string | undefined;
};

/** `found`: the number of messages that the page would have without a budget. */
export type ListedMessageRow = ShownMessageRow & { found: number };

/** Bytes of an encoded message beyond its body. */
const MESSAGE_BYTES = 512;
/** Positions that a page with a budget spans at most: its answer has the receipts of all of them. */
const MAX_POSITIONS = 4096;

const SEEN = `(${messagesAsSeen({ hasVersions: 'true', userId: '$7::text', asOf: '$8::int8' })})`;

/** Newest first. Reads one range of the primary key, however deep the page is, or one for each part of the history that a user was shown. */
export function listMessagesBefore(sql: Sql, page: PageBounds): Promise<ListedMessageRow[]> {
  return sql.query<ListedMessageRow>(messagesBefore(page));
}

/** The sizes are read before the bodies, so that a body that does not fit is not read. */
export function messagesBefore(page: PageBounds) {
  const { appId, conversationId, userId, after, before, seen, limit, budget, reader, shadowedFor } = page;
  const values: unknown[] = [appId, conversationId, after, before, limit, budget ?? null];
  if (userId !== null || reader) values.push(userId ?? reader?.userId);
  if (reader) values.push(reader.asOf);
  const part = seen === undefined ? undefined : `$${values.push(seen)}`;
  const exists =
    shadowedFor === undefined
      ? 'found.deleted_at is null'
      : existsFor('found', `$${values.push(shadowedFor)}::text`);
  // One look-up by key for each row: a join might read all bitmaps of the user.
  const unlessHidden = `
    and coalesce((
      select get_bit(b.hidden, (found.position % 256)::int) from participant_block b
      where b.app_id = $1 and b.conversation_id = $2 and b.user_id = $7 and b.block = found.position / 256), 0) = 0`;
  const found = (bounds: string): string => `
          select * from ${reader ? SEEN : 'message'} found
          where found.app_id = $1 and found.conversation_id = $2 and ${bounds}
            and ${exists} ${userId === null ? '' : unlessHidden}
          order by found.position desc limit $5`;
  const between = 'found.position > $3 and found.position < $4';
  return {
    name: `list_${part === undefined ? '' : 'shown_'}${userId === null ? '' : 'unhidden_'}messages_before${reader ? '_as_seen' : ''}${shadowedFor === undefined ? '' : '_shadowed'}`,
    text: `
      select ${SHOWN_MESSAGE_COLUMNS}, m.found
      from (
        select found.*, count(*) over () as found, max(found.position) over () as newest,
          sum(octet_length(found.body) + ${MESSAGE_BYTES}) over (order by found.position desc) as upto
        from (${part === undefined ? found(between) : foundIn(part, found)}
        ) found
      ) m
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id
      where $6::int8 is null or m.position = m.newest
        or (m.upto <= $6 and m.position > m.newest - ${MAX_POSITIONS})
      order by m.position desc`,
    values,
  };
}

/** SQL of the newest messages in the parts of a multirange, each of which is read from its end. */
function foundIn(parts: string, found: (bounds: string) => string): string {
  const within = `found.position > $3 and found.position < $4
              and found.position >= lower(part.positions) and found.position < upper(part.positions)`;
  return `
          select found.* from unnest(${parts}::int8multirange) as part (positions)
          cross join lateral (${found(within)}
          ) found
          order by found.position desc limit $5`;
}
