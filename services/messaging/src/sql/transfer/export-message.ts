import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { mayHold } from '../conversation/side-tables.ts';
import { column } from '../statement.ts';

/** Positions of a conversation, inclusive. */
export type MessageRange = { conversationId: string; first: number; last: number };

/** A page of a range that has messages; `number`: the place of the range, from 1. */
export type ReadRange = {
  number: number;
  /** The budget did not suffice for the whole span. */
  is_cut: boolean;
  /** The position of the last message that was read. It and the columns below are null when no message fitted. */
  last: number | null;
  sender_ids: string[] | null;
  /** Positions of shadowed messages among those that were read. */
  shadowed: number[] | null;
  /** The messages, as ExportMessagesResponse.Span has them. */
  rows: Uint8Array | null;
};

/** Bytes of a message in `rows` beyond its body, of a receipt beyond the user id, and of a reaction beyond the user id and key. */
const ROW_BYTES = 110;
const RECEIPT_BYTES = 100;
const REACTION_BYTES = 16;

const MESSAGE_BYTES = `octet_length(m.body) + ${ROW_BYTES} + reacted.bytes`;

/**
 * Reads messages by range and position, without deleted messages and deleted conversations. A message fits if it begins before
 * `mostBytes` of messages with their reactions and of receipts of earlier spans.
 */
export function readMessageSpans(
  sql: Sql,
  { appId, spans, mostBytes }: { appId: string; spans: readonly MessageRange[]; mostBytes: number },
): Promise<ReadRange[]> {
  return sql.query<ReadRange>({
    name: 'read_export_spans',
    text: `
      select number, bool_or(not fits) as is_cut, max(position) filter (where fits) as last,
        array_agg(distinct sender_id) filter (where fits) as sender_ids,
        array_agg(position) filter (where fits and shadowed) as shadowed,
        string_agg(
          record_send(row(id, position, sender_id, sent_at, updated_at, body)), null order by position
        ) filter (where fits) as rows
      from (
        select span.number, m.id, m.position, m.sender_id, m.sent_at, m.updated_at, m.body, m.shadowed,
          span.before - (${MESSAGE_BYTES})
            + sum(${MESSAGE_BYTES}) over (order by span.number, m.position) < $5 as fits
        from (
          select span.*, ${mayHold('c', 'reactions')} as has_reactions,
            (sum(receipts.bytes) over (order by span.number) - receipts.bytes)::bigint as before
          from unnest($2::uuid[], $3::int8[], $4::int8[]) with ordinality
            as span (conversation_id, first, last, number)
          join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = span.conversation_id')} on c.deleted_at is null
          cross join lateral (
            select coalesce(sum(octet_length(p.user_id) + ${RECEIPT_BYTES}), 0) as bytes from participant p
            where p.app_id = $1 and p.conversation_id = span.conversation_id
          ) receipts
        ) span
        cross join lateral (
          select * from message m where m.app_id = $1 and m.conversation_id = span.conversation_id
            and m.position between span.first and span.last
            and (m.deleted_at is null or m.shadowed)
          order by m.position
        ) m
        cross join lateral (
          select coalesce(sum(octet_length(r.user_id) + octet_length(r.key) + ${REACTION_BYTES}), 0)::bigint as bytes
          from reaction r
          where span.has_reactions and r.app_id = $1 and r.conversation_id = span.conversation_id
            and r.position = m.position
        ) reacted
      ) message
      group by number
      order by number`,
    values: [
      appId,
      column(spans, 'conversationId'),
      column(spans, 'first'),
      column(spans, 'last'),
      mostBytes,
    ],
  });
}

export type PlaceQuery = {
  appId: string;
  conversationId: string;
  positions: readonly { first: number; last: number }[];
  limit: number;
};

/** Messages within ranges of positions, in order, including deleted ones. */
export function listPlacesWithin(
  sql: Sql,
  { appId, conversationId, positions, limit }: PlaceQuery,
): Promise<{ id: string; position: number; sender_id: string }[]> {
  return sql.query({
    name: 'list_places_within',
    text: `
      select m.id, m.position, m.sender_id from unnest($3::int8[], $4::int8[]) as range (first, last)
      join message m on m.app_id = $1 and m.conversation_id = $2
        and m.position between range.first and range.last
      order by m.position limit $5`,
    values: [appId, conversationId, column(positions, 'first'), column(positions, 'last'), limit],
  });
}
