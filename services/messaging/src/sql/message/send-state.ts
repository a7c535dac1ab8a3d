import type { Role } from '@parley/contract/policy';
import type { TypeRules } from '@parley/domain/policy';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Query, Sql } from '@parley/kit/postgres';
import { isHeldWith } from '../conversation/participant.ts';
import { isAwaited } from '../log/event-interest.ts';
import {
  joinRestriction,
  joinType,
  RESTRICTION_COLUMNS,
  TYPE_NAME,
  type Restricted,
} from '../policy/standing.ts';
import { rowParameters } from '../row-parameters.ts';
import { column, textOf } from '../statement.ts';

export type SendQuery = {
  appId: string;
  conversationId: string;
  id: string;
  senderId: string;
  low: boolean;
  /** Participants for whom the message has the other significance. */
  exceptionUserIds: readonly string[];
};

/**
 * The state on which sending one message depends: a row for the sender, one for each participant who blocks the sender, and one
 * for each participant with an exception of significance. If a joined row is missing, all of its columns are
 * null.
 */
export type SendState = StoredState & { app_id: string; conversation_id: string };

type StoredState = Restricted & {
  /** Index of the query. */
  item: number;
  role: 'sender' | 'hidden' | 'exception';
  user_id: string;
  conversation_exists: boolean;
  /** Whether another service awaits the events of the application. */
  is_awaited: boolean;
  /** The position after the conversation's head. Bitmaps beyond that of this position are still empty. */
  first_position: number;
  // The stored message that has the id.
  stored_conversation_id: string | null;
  stored_request_id: string | null;
  stored_sender_id: string | null;
  /** A scheduled message has the id. */
  is_reserved: boolean;
  // The copy of the user's identity.
  display_name: string | null;
  avatar_url: string | null;
  is_bot: boolean | null;
  identity_deleted: boolean | null;
  /** Grows with every change of the copy. */
  identity_version: number | null;
  /** The user's incarnation in the identity copy; null: there is no copy. */
  incarnation: number | null;
  /** Participations of earlier incarnations are not the user's; null: there is no copy. */
  participations_from: number | null;
  /** The sender is noted as a bot that sends here without taking part. */
  is_outside_sender: boolean;
  // The participant row.
  member: string | null;
  joined_seq: number;
  left_seq: number | null;
  left_head: number | null;
  read_until: number;
  delivered_until: number;
  hidden_until: number;
  covered_count: number;
  hidden_count: number;
  unlisted_at: number | null;
  // The type of the conversation; an unchanged `default` has neither rules nor a version.
  type_name: string;
  type_version: string | null;
  rules: TypeRules | null;
  /** Null: a member. */
  participant_role: Role | null;
  /** When the participant last sent while slow mode was on. */
  slow_sent_at: number | null;
  /** The incarnation whose receipts the participant holds; null: 0. */
  participant_incarnation: number | null;
  // The participant's bitmap.
  read: Uint8Array | null;
  delivered: Uint8Array;
  hidden: Uint8Array;
  contrary: Uint8Array;
  // The conversation's bitmap, for a message of low significance.
  low: Uint8Array | null;
  deleted: Uint8Array;
};

/**
 * All that a batch of messages depends on, in one statement. The conversations must be locked; messages of others are
 * contended.
 */
export async function listSendStates(sql: Sql, queries: readonly SendQuery[]): Promise<SendState[]> {
  const isPlain = queries.every(({ low, exceptionUserIds }) => !low && exceptionUserIds.length === 0);
  const rows = await sql.query<StoredState>(isPlain ? plainQuery(queries) : fullQuery(queries));
  return rows.map((row) => {
    const { appId, conversationId } = queries[row.item]!;
    const isErased = (row.participant_incarnation ?? 0) < (row.participations_from ?? 0);
    return Object.assign(
      row,
      { app_id: appId, conversation_id: conversationId },
      isErased ? NEVER_TOOK_PART : {},
    );
  });
}

// The participation of an erased person: the sender, who has their user id now, takes no part.
const NEVER_TOOK_PART = {
  member: null,
  left_seq: null,
  participant_incarnation: null,
  read: null,
  participant_role: null,
  slow_sent_at: null,
};

/** The query for messages of normal significance for everybody, as most are. */
function plainQuery(queries: readonly SendQuery[]): Query {
  const { sql, values, suffix } = PLAIN_ITEM.of(queries.map(itemOf));
  const name = `list_send_states_plain${suffix}`;
  const bitmapColumns = 'null::bytea as low, null::bytea as deleted';
  const text = textOf(name, () => statement({ items: sql, exceptions: '', bitmap: '', bitmapColumns }));
  return { name, text, values };
}

function fullQuery(queries: readonly SendQuery[]): Query {
  const { sql, values, suffix } = ITEM.of(queries.map(itemOf));
  const named = queries.flatMap(({ exceptionUserIds }, index) =>
    exceptionUserIds.map((user_id) => ({ ordinal: index + 1, user_id })),
  );
  const name = `list_send_states${suffix}`;
  const text = textOf(name, () =>
    statement({ items: sql, exceptions: EXCEPTIONS, bitmap: BITMAP, bitmapColumns: 'cb.low, cb.deleted' }),
  );
  return { name, text, values: [...values, column(named, 'ordinal'), column(named, 'user_id')] };
}

function itemOf({ appId, conversationId, id, senderId, low }: SendQuery): Item {
  return { app_id: appId, conversation_id: conversationId, id, sender_id: senderId, low };
}

type Item = { app_id: string; conversation_id: string; id: string; sender_id: string; low: boolean };

const PLAIN_TYPES = { app_id: 'uuid', conversation_id: 'uuid', id: 'uuid', sender_id: 'text' };
const PLAIN_ITEM = rowParameters<Item>('item', PLAIN_TYPES, { ordinal: 'ordinal' });
const ITEM = rowParameters<Item>('item', { ...PLAIN_TYPES, low: 'boolean' }, { ordinal: 'ordinal' });

type StatementParts = { items: string; exceptions: string; bitmap: string; bitmapColumns: string };

const EXCEPTIONS = `
    union all
    select named.user_id, 'exception' from unnest($6::int8[], $7::text[]) as named (ordinal, user_id)
    where named.ordinal = item.ordinal and named.user_id <> item.sender_id`;

const BITMAP = `left join ${lookUp(
  'conversation_block',
  'cb',
  `item.low and cb.app_id = item.app_id
    and cb.conversation_id = item.conversation_id and cb.block = (c.head + 1) / 256`,
)} on true`;

function statement({ items, exceptions, bitmap, bitmapColumns }: StatementParts): string {
  return `
  select item.ordinal::int4 - 1 as item, ${isAwaited('item.app_id')} as is_awaited, person.role, person.user_id,
    c.id is not null as conversation_exists, coalesce(c.head, 0) + 1 as first_position,
    m.conversation_id as stored_conversation_id, m.request_id as stored_request_id, m.sender_id as stored_sender_id,
    s.id is not null as is_reserved,
    i.display_name, i.avatar_url, i.is_bot, i.deleted as identity_deleted, i.version as identity_version, i.incarnation,
    i.participations_from,
    o.user_id is not null as is_outside_sender, p.incarnation as participant_incarnation,
    p.member::text as member, p.joined_seq, p.left_seq, p.left_head, p.read_until, p.delivered_until, p.hidden_until,
    p.covered_count, p.hidden_count, p.unlisted_at,
    b.read, b.delivered, b.hidden, b.contrary, ${bitmapColumns},
    ${TYPE_NAME} as type_name, t.version as type_version, t.rules, p.role as participant_role, p.slow_sent_at,
    ${RESTRICTION_COLUMNS}
  from ${items}
  left join ${lookUp('conversation', 'c', 'c.app_id = item.app_id and c.id = item.conversation_id')} on true
  cross join lateral (
    select item.sender_id as user_id, 'sender' as role
    union all
    select blocked.owner_user_id, 'hidden' from block_copy blocked
    where blocked.app_id = item.app_id and blocked.blocked_user_id = item.sender_id
      and blocked.owner_user_id <> item.sender_id${exceptions}
  ) as person
  left join ${lookUp(
    'participant',
    'p',
    `p.app_id = item.app_id and p.conversation_id = item.conversation_id
    and p.user_id = person.user_id`,
  )} on true
  left join ${lookUp(
    'participant_block',
    'b',
    `b.app_id = item.app_id and b.conversation_id = item.conversation_id
    and b.user_id = person.user_id and b.block = (c.head + 1) / 256`,
  )} on true
  ${bitmap}
  left join ${lookUp('message', 'm', 'm.app_id = item.app_id and m.id = item.id')} on true
  left join ${lookUp('scheduled_message', 's', 's.app_id = item.app_id and s.id = item.id')} on true
  left join ${lookUp('identity_copy', 'i', 'i.app_id = item.app_id and i.user_id = person.user_id')} on true
  ${joinType('item.app_id')}
  ${joinRestriction({ appId: 'item.app_id', conversationId: 'item.conversation_id', userId: 'person.user_id' })}
  left join ${lookUp(
    'outside_sender',
    'o',
    `p.user_id is null and person.role = 'sender' and o.app_id = item.app_id and o.user_id = item.sender_id
    and o.conversation_id = item.conversation_id`,
  )} on true
  where person.role = 'sender' or (p.user_id is not null and p.left_seq is null and ${isHeldWith()})`;
}
