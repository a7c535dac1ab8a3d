import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { SEEN_MESSAGE_COLUMNS, SHOWN_MESSAGE_COLUMNS, type ShownMessageRow } from './message.ts';
import { messagesAsSeen } from './message-version.ts';
import { column } from '../statement.ts';

export type MessagePosition = { appId: string; conversationId: string; position: number };

export function positionOf(row: {
  app_id: string;
  conversation_id: string;
  position: number;
}): MessagePosition {
  return { appId: row.app_id, conversationId: row.conversation_id, position: row.position };
}

/** Bytes of an encoded message beyond its body. */
const MESSAGE_BYTES = 512;

/** A message of a conversation, and its reader. `asOf`: the change number as of which they see the body; null: the present one. */
export type SeenPosition = MessagePosition & { userId: string; asOf: number | null; hasVersions: boolean };

const OF_WANTED =
  'm.app_id = wanted.app_id and m.conversation_id = wanted.conversation_id and m.position = wanted.position';
const AS_SEEN = messagesAsSeen({
  hasVersions: 'wanted.has_versions',
  userId: 'wanted.user_id',
  asOf: 'wanted.as_of',
});

/** The messages at as many of the first places as fit into a budget, and at least one, as their readers see them. */
export function listMessagesAtWithin(
  sql: Sql,
  places: readonly SeenPosition[],
  budget: number,
): Promise<ShownMessageRow[]> {
  const values = [
    column(places, 'appId'),
    column(places, 'conversationId'),
    column(places, 'position'),
    budget,
  ];
  if (!places.some(({ hasVersions }) => hasVersions)) {
    const wanted = `unnest($1::uuid[], $2::uuid[], $3::int8[]) with ordinality
          as wanted (app_id, conversation_id, position, place)`;
    const text = textWithin(wanted, lookUp('message', 'm', OF_WANTED));
    return sql.query<ShownMessageRow>({ name: 'list_messages_at_within', text, values });
  }
  const wanted = `unnest($1::uuid[], $2::uuid[], $3::int8[], $5::text[], $6::int8[], $7::boolean[]) with ordinality
          as wanted (app_id, conversation_id, position, user_id, as_of, has_versions, place)`;
  const readers = [column(places, 'userId'), column(places, 'asOf'), column(places, 'hasVersions')];
  return sql.query<ShownMessageRow>({
    name: 'list_seen_messages_at_within',
    text: textWithin(wanted, `lateral (${AS_SEEN} where ${OF_WANTED} offset 0) m`),
    values: [...values, ...readers],
  });
}

function textWithin(wanted: string, message: string): string {
  return `
      select ${SHOWN_MESSAGE_COLUMNS}
      from (
        select m.*, wanted.place,
          sum(octet_length(m.body) + ${MESSAGE_BYTES}) over (order by wanted.place) as upto
        from ${wanted}
        join ${message} on true
      ) m
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id
      where m.upto <= $4::int8 or m.place = 1
      order by m.place`;
}

/** A message, and the change number of the edit that replaced the body to be shown; null: the present one. */
export type VersionPosition = MessagePosition & { keptSeq: number | null };

/** The messages at the given places. */
export function listMessagesAt(
  sql: Sql,
  places: readonly VersionPosition[],
): Promise<(ShownMessageRow & { kept_seq: number | null })[]> {
  const values = [column(places, 'appId'), column(places, 'conversationId'), column(places, 'position')];
  const isPresent = places.every(({ keptSeq }) => keptSeq === null);
  return sql.query({
    name: isPresent ? 'list_messages_at' : 'list_message_versions_at',
    text: `
      select ${isPresent ? SHOWN_MESSAGE_COLUMNS : SEEN_MESSAGE_COLUMNS}, ${isPresent ? 'null::int8' : 'kept.seq'} as kept_seq
      from unnest($1::uuid[], $2::uuid[], $3::int8[]${isPresent ? '' : ', $4::int8[]'})
        as wanted (app_id, conversation_id, position${isPresent ? '' : ', kept_seq'})
      join message m on ${OF_WANTED}
      ${isPresent ? '' : KEPT_VERSION}
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id`,
    values: isPresent ? values : [...values, column(places, 'keptSeq')],
  });
}

const KEPT_VERSION = `left join ${lookUp(
  'message_version',
  'kept',
  `kept.app_id = wanted.app_id and kept.conversation_id = wanted.conversation_id
        and kept.position = wanted.position and kept.seq = wanted.kept_seq`,
)} on true`;
