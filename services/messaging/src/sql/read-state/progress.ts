import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import {
  isHeld,
  PARTICIPANT_COLUMNS,
  type ParticipantRef,
  type ParticipantRow,
} from '../conversation/participant.ts';
import { isAwaited } from '../log/event-interest.ts';
import { ARE_RECEIPTS_OFF, joinType } from '../policy/standing.ts';
import { column } from '../statement.ts';

/** The number of bitmaps that are loaded from a watermark on. One receipt moves it by no more. */
export const BITMAPS_FROM_WATERMARK = 4;

export type ProgressQuery = ParticipantRef & {
  /** The bitmap of this position is loaded. */
  position: number;
  /** Whether any message of the conversation is low or deleted. */
  hasExclusions: boolean;
  /** The conversation is not locked: nothing is written. */
  isContended?: boolean;
};

/** A participant with the bitmaps that a change needs; arrays of bitmaps are parallel, and null when empty. */
export type ProgressRow = ParticipantRow & {
  /** Index of the query. */
  item: number;
  /** Whether another service awaits the events of the application. */
  is_awaited: boolean;
  /** Whether the conversation's type has no receipts. */
  are_receipts_off: boolean;
  display_name: string | null;
  avatar_url: string | null;
  /** The user's incarnation in the identity copy; null: there is no copy. */
  incarnation: number | null;
  /** The incarnation whose receipts the participant holds; null: 0. */
  participant_incarnation: number | null;
  blocks: number[] | null;
  read: Uint8Array[];
  delivered: Uint8Array[];
  hidden: Uint8Array[];
  contrary: Uint8Array[];
  // The conversation's bitmaps, from the read watermark or the position on.
  exclusion_blocks: number[] | null;
  low: Uint8Array[];
  deleted: Uint8Array[];
};

/** `near`: the bitmaps of the position and at the watermarks. `all`: all from the read watermark on. */
export type Reach = 'near' | 'all';

export function listProgress(
  sql: Sql,
  queries: readonly ProgressQuery[],
  reach: Reach,
): Promise<ProgressRow[]> {
  return sql.query<ProgressRow>({
    name: `list_progress_${reach}`,
    text: statement(reach === 'near' ? NEAR_BITMAPS : 'b.block >= (p.read_until + 1) / 256'),
    values: [
      column(queries, 'appId'),
      column(queries, 'conversationId'),
      column(queries, 'userId'),
      column(queries, 'position'),
      column(queries, 'hasExclusions'),
    ],
  });
}

function fromWatermark(watermark: string): string {
  return Array.from(
    { length: BITMAPS_FROM_WATERMARK },
    (_, index) => `(${watermark} + 1) / 256 + ${index}`,
  ).join(', ');
}

// One index look-up for each bitmap, however many are stored.
const NEAR_BITMAPS = `b.block = any (array[wanted.position / 256, ${fromWatermark('p.read_until')},
  ${fromWatermark('greatest(p.read_until, p.delivered_until)')}])`;

function statement(condition: string): string {
  return `
  select wanted.ordinal::int4 - 1 as item, ${isAwaited('wanted.app_id')} as is_awaited,
    ${ARE_RECEIPTS_OFF} as are_receipts_off, ${PARTICIPANT_COLUMNS}, i.display_name, i.avatar_url,
    i.incarnation, p.incarnation as participant_incarnation,
    own.blocks, own.read, own.delivered, own.hidden, own.contrary, excluded.blocks as exclusion_blocks, excluded.low, excluded.deleted
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::boolean[]) with ordinality
    as wanted (app_id, conversation_id, user_id, position, has_exclusions, ordinal)
  join ${lookUp(
    'participant',
    'p',
    `p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id
    and p.user_id = wanted.user_id and ${isHeld()}`,
  )} on true
  left join ${lookUp('identity_copy', 'i', 'i.app_id = p.app_id and i.user_id = p.user_id')} on true
  left join ${lookUp('conversation', 'c', 'c.app_id = wanted.app_id and c.id = wanted.conversation_id')} on true
  ${joinType('wanted.app_id')}
  cross join lateral (
    select array_agg(b.block) as blocks, array_agg(b.read) as read, array_agg(b.delivered) as delivered,
      array_agg(b.hidden) as hidden, array_agg(b.contrary) as contrary
    from participant_block b
    where b.app_id = wanted.app_id and b.conversation_id = wanted.conversation_id and b.user_id = wanted.user_id
      and ${condition}
  ) as own
  cross join lateral (
    select array_agg(b.block) as blocks, array_agg(b.low) as low, array_agg(b.deleted) as deleted
    from conversation_block b
    where wanted.has_exclusions and b.app_id = wanted.app_id and b.conversation_id = wanted.conversation_id
      and b.block >= least((p.read_until + 1) / 256, wanted.position / 256)
  ) as excluded`;
}
