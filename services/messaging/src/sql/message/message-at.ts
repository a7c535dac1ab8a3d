import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { SHOWN_MESSAGE_COLUMNS, type ShownMessageRow } from './message.ts';
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

/** The messages at as many of the first places as fit into a budget, and at least one. */
export function listMessagesAtWithin(
  sql: Sql,
  places: readonly MessagePosition[],
  budget: number,
): Promise<ShownMessageRow[]> {
  return sql.query<ShownMessageRow>({
    name: 'list_messages_at_within',
    text: `
      select ${SHOWN_MESSAGE_COLUMNS}
      from (
        select m.*, wanted.place,
          sum(octet_length(m.body) + ${MESSAGE_BYTES}) over (order by wanted.place) as upto
        from unnest($1::uuid[], $2::uuid[], $3::int8[]) with ordinality
          as wanted (app_id, conversation_id, position, place)
        join ${lookUp('message', 'm', 'm.app_id = wanted.app_id and m.conversation_id = wanted.conversation_id and m.position = wanted.position')} on true
      ) m
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id
      where m.upto <= $4::int8 or m.place = 1
      order by m.place`,
    values: [column(places, 'appId'), column(places, 'conversationId'), column(places, 'position'), budget],
  });
}

/** The messages at the given places. */
export function listMessagesAt(sql: Sql, places: readonly MessagePosition[]): Promise<ShownMessageRow[]> {
  return sql.query<ShownMessageRow>({
    name: 'list_messages_at',
    text: `
      select ${SHOWN_MESSAGE_COLUMNS}
      from unnest($1::uuid[], $2::uuid[], $3::int8[]) as wanted (app_id, conversation_id, position)
      join message m on m.app_id = wanted.app_id and m.conversation_id = wanted.conversation_id
        and m.position = wanted.position
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id`,
    values: [column(places, 'appId'), column(places, 'conversationId'), column(places, 'position')],
  });
}
