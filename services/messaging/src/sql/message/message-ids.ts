import type { Sql } from '@parley/kit/postgres';
import { column } from '../statement.ts';

export type IdQuery = {
  appId: string;
  conversationId: string;
  positions: readonly { first: number; last: number }[];
  /** Null: of all senders. */
  senderId: string | null;
  limit: number;
};

/** The messages within ranges of positions, in order, without deleted ones. */
export function listIdsWithin(
  sql: Sql,
  query: IdQuery,
): Promise<{ id: string; position: number; senderId: string }[]> {
  return sql.query({
    name: 'list_ids_within',
    text: `
      select m.id, m.position, m.sender_id as "senderId" from unnest($3::int8[], $4::int8[]) as range (first, last)
      join message m on m.app_id = $1 and m.conversation_id = $2 and m.deleted_at is null
        and m.position between range.first and range.last and ($5::text is null or m.sender_id = $5)
      order by m.position limit $6`,
    values: [
      query.appId,
      query.conversationId,
      column(query.positions, 'first'),
      column(query.positions, 'last'),
      query.senderId,
      query.limit,
    ],
  });
}
