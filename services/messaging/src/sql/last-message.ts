import type { Sql } from '@parley/kit/postgres';
import { shownMessageColumns, type ShownMessageRow } from './message.ts';
import { column } from './statement.ts';

export type MessageAt = { app_id: string; conversation_id: string; position: number };

/** The messages at some positions. */
export function listMessagesAt(sql: Sql, places: readonly MessageAt[]): Promise<ShownMessageRow[]> {
  return sql.query<ShownMessageRow>({
    name: 'list_messages_at',
    text: `
      select ${shownMessageColumns}
      from unnest($1::uuid[], $2::uuid[], $3::int8[]) as wanted (app_id, conversation_id, position)
      join message m on m.app_id = wanted.app_id and m.conversation_id = wanted.conversation_id
        and m.position = wanted.position
      left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id`,
    values: [column(places, 'app_id'), column(places, 'conversation_id'), column(places, 'position')],
  });
}
