import { lookUp } from '@parley/kit/look-up';
import type { Sql } from '@parley/kit/postgres';
import { column } from './statement.ts';

/** Positions of a conversation, both ends included. */
export type Stretch = { conversation_id: string; first: number; last: number };

/** What was read of a stretch; `number`: which one, from 1. */
export type ReadStretch = {
  number: number;
  /** Position of the last message. */
  last: number;
  /** Of the bodies of all that was read up to here. */
  bytes: number;
  sender_ids: string[];
  /** The messages, as ExportMessagesResponse.Span has them. */
  rows: Uint8Array;
};

/**
 * By stretch and position, deleted ones left out, and those of conversations deleted since; what begins behind `mostBytes`
 * of bodies is left for another read. Stretches with nothing to read are not among the answers.
 */
export function readStretches(
  sql: Sql,
  { appId, stretches, mostBytes }: { appId: string; stretches: readonly Stretch[]; mostBytes: number },
): Promise<ReadStretch[]> {
  return sql.query<ReadStretch>({
    name: 'read_export_stretches',
    text: `
      select number, max(position) as last, max(bytes) as bytes, array_agg(distinct sender_id) as sender_ids,
        string_agg(
          record_send(row(id, position, sender_id, sent_at, updated_at, body)), null order by position
        ) as rows
      from (
        select stretch.number, m.id, m.position, m.sender_id, m.sent_at, m.updated_at, m.body,
          sum(octet_length(m.body)) over (order by stretch.number, m.position) as bytes
        from unnest($2::uuid[], $3::int8[], $4::int8[]) with ordinality
          as stretch (conversation_id, first, last, number)
        join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = stretch.conversation_id')} on c.deleted_at is null
        cross join lateral (
          select * from message m where m.app_id = $1 and m.conversation_id = stretch.conversation_id
            and m.position between stretch.first and stretch.last and m.deleted_at is null
          order by m.position
        ) m
      ) message
      where bytes - octet_length(body) < $5
      group by number
      order by number`,
    values: [
      appId,
      column(stretches, 'conversation_id'),
      column(stretches, 'first'),
      column(stretches, 'last'),
      mostBytes,
    ],
  });
}

export type PlaceQuery = {
  app_id: string;
  conversation_id: string;
  positions: readonly { first: number; last: number }[];
  limit: number;
};

/** Messages within ranges of positions, in order, deleted ones too. */
export function listPlacesWithin(
  sql: Sql,
  { app_id, conversation_id, positions, limit }: PlaceQuery,
): Promise<{ id: string; position: number; sender_id: string }[]> {
  return sql.query({
    name: 'list_places_within',
    text: `
      select m.id, m.position, m.sender_id from unnest($3::int8[], $4::int8[]) as range (first, last)
      join message m on m.app_id = $1 and m.conversation_id = $2
        and m.position between range.first and range.last
      order by m.position limit $5`,
    values: [app_id, conversation_id, column(positions, 'first'), column(positions, 'last'), limit],
  });
}
