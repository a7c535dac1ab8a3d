import { lookUp } from '@parley/kit/postgres/look-up';
import type { Tx } from '@parley/kit/postgres';
import { isAwaited } from '../log/event-interest.ts';
import { column, type Condition } from '../statement.ts';

/** The counters and the time by which a conversation is recognised as unchanged. `changed_at`: milliseconds. */
export type ConversationVersion = {
  app_id: string;
  id: string;
  seq: number;
  head: number;
  changed_at: number;
};

/**
 * Locks those conversations that are as given, without waiting. Every transaction that changes a conversation, the progress of a
 * participant or a bitmap moves `seq`, `head` or `changed_at`.
 */
export async function lockUnchangedConversations(
  tx: Tx,
  versions: readonly ConversationVersion[],
): Promise<void> {
  await tx.execute({
    name: 'lock_unchanged_conversations',
    text: `
      select from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::int8[], $5::float8[])
        as known (app_id, id, seq, head, changed_at)
      join conversation c on c.app_id = known.app_id and c.id = known.id
      where c.seq = known.seq and c.head = known.head and c.changed_at = to_timestamp(known.changed_at / 1000)
      order by c.app_id, c.id
      for no key update of c skip locked`,
    values: [
      column(versions, 'app_id'),
      column(versions, 'id'),
      column(versions, 'seq'),
      column(versions, 'head'),
      column(versions, 'changed_at'),
    ],
  });
}

/** A message of normal significance from a known participant, and what is known of its sender and its application. */
export type KnownSend = {
  app_id: string;
  conversation_id: string;
  id: string;
  sender_id: string;
  identity_version: number | null;
  incarnation: number | null;
  is_awaited: boolean;
};

/**
 * This transaction holds the locks of all conversations, no id is taken, the senders' identities are as known, no participant
 * blocks them, and the applications' events are awaited as known. Belongs behind `lockUnchangedConversations`: a row that this
 * transaction locked, and no other, has the transaction's id in its `xmax`.
 */
export function areSendsAsKnown(
  conversations: readonly { app_id: string; id: string }[],
  sends: readonly KnownSend[],
): Condition {
  return {
    name: 'sends_as_known',
    text: `
      select (
        select count(*) from unnest($1::uuid[], $2::uuid[]) as wanted (app_id, id)
        cross join lateral (
          select from conversation c
          where c.app_id = wanted.app_id and c.id = wanted.id and c.xmax = pg_current_xact_id()::xid offset 0) held
      ) = cardinality($1::uuid[]) and not exists (
        select from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::float8[], $8::float8[], $9::boolean[])
          as item (app_id, conversation_id, id, sender_id, identity_version, incarnation, is_awaited)
        left join ${lookUp('identity_copy', 'i', 'i.app_id = item.app_id and i.user_id = item.sender_id')} on true
        left join ${lookUp('message', 'm', 'm.app_id = item.app_id and m.id = item.id')} on true
        left join ${lookUp('scheduled_message', 's', 's.app_id = item.app_id and s.id = item.id')} on true
        left join lateral (
          select true as is_blocked from block_copy b
          join ${lookUp(
            'participant',
            'p',
            `p.app_id = b.app_id and p.conversation_id = item.conversation_id
            and p.user_id = b.owner_user_id and p.left_seq is null`,
          )} on true
          where b.app_id = item.app_id and b.blocked_user_id = item.sender_id and b.owner_user_id <> item.sender_id
          offset 0
        ) blocked on true
        where i.version is distinct from item.identity_version or i.incarnation is distinct from item.incarnation
          or ${isAwaited('item.app_id')} <> item.is_awaited
          or m.id is not null or s.id is not null or blocked.is_blocked
      ) as holds`,
    values: [
      column(conversations, 'app_id'),
      column(conversations, 'id'),
      column(sends, 'app_id'),
      column(sends, 'conversation_id'),
      column(sends, 'id'),
      column(sends, 'sender_id'),
      column(sends, 'identity_version'),
      column(sends, 'incarnation'),
      column(sends, 'is_awaited'),
    ],
  };
}
