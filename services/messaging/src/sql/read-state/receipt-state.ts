import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import { ARE_RECEIPTS_OFF, joinType } from '../policy/standing.ts';
import { column } from '../statement.ts';

/** Positions of one conversation, from `first` to `last`. */
export type Span = { appId: string; conversationId: string; first: number; last: number };

export type ReceiptStateRow = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  member: string;
  read_until: number;
  delivered_until: number;
  blocks: number[] | null;
  read: Uint8Array[];
  delivered: Uint8Array[];
  hidden: Uint8Array[];
  /** Whether the conversation's type has no receipts. */
  is_off: boolean;
};

/**
 * The receipts of all users to whom messages of the spans were sent. `member` is cut to the span, since users may come
 * and go any number of times.
 */
export function listReceiptStates(sql: Sql, spans: readonly Span[]): Promise<ReceiptStateRow[]> {
  return sql.query<ReceiptStateRow>({
    name: 'list_receipt_states',
    text: `
      select p.app_id, p.conversation_id, p.user_id, ${ARE_RECEIPTS_OFF} as is_off,
        (p.member * int8multirange(int8range(span.first, span.last, '[]')))::text as member, p.read_until, p.delivered_until,
        array_agg(b.block order by b.block) filter (where b.block is not null) as blocks,
        array_agg(b.read order by b.block) filter (where b.block is not null) as read,
        array_agg(b.delivered order by b.block) filter (where b.block is not null) as delivered,
        array_agg(b.hidden order by b.block) filter (where b.block is not null) as hidden
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::int8[]) as span (app_id, conversation_id, first, last)
      join participant p on p.app_id = span.app_id and p.conversation_id = span.conversation_id
        and p.member && int8multirange(int8range(span.first, span.last, '[]')) and ${isHeld()}
      left join ${lookUp('conversation', 'c', 'c.app_id = span.app_id and c.id = span.conversation_id')} on true
      ${joinType('span.app_id')}
      left join lateral (
        select * from participant_block b where b.app_id = p.app_id and b.conversation_id = p.conversation_id
          and b.user_id = p.user_id and b.block between span.first / 256 and span.last / 256
        order by b.block
      ) b on true
      group by p.app_id, p.conversation_id, p.user_id, p.member, p.read_until, p.delivered_until, span.first, span.last, ${ARE_RECEIPTS_OFF}
      order by p.conversation_id, p.user_id`,
    values: [
      column(spans, 'appId'),
      column(spans, 'conversationId'),
      column(spans, 'first'),
      column(spans, 'last'),
    ],
  });
}
