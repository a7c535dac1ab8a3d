import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeldBy } from '../conversation/participant.ts';
import { keptVersion, SEEN_BODY } from '../message/message-version.ts';
import { existsFor } from '../message/shadowed.ts';
import { column } from '../statement.ts';

export type ChangeRow = { conversation_id: string; seq: number; created_at: number; event: Uint8Array };

/** Changes of one conversation, in order. */
export function listChanges(
  sql: Sql,
  query: { appId: string; conversationId: string; first: number; last: number; limit: number },
): Promise<ChangeRow[]> {
  return sql.query<ChangeRow>({
    name: 'list_changes',
    text: `
      select conversation_id, seq, created_at, event from change
      where app_id = $1 and conversation_id = $2 and seq between $3 and $4
      order by seq limit $5`,
    values: [query.appId, query.conversationId, query.first, query.last, query.limit],
  });
}

export type UserChangesQuery = {
  appId: string;
  userId: string;
  /** Milliseconds. */
  from: number;
  after: { conversationId: string; seq: number };
  limit: number;
};

/**
 * The changes that a user may replay since a time: by conversation id, and by change number within each conversation.
 */
export function listUserChanges(sql: Sql, query: UserChangesQuery): Promise<ChangeRow[]> {
  return sql.query<ChangeRow>({
    name: 'list_owed_changes',
    text: `
      select ch.conversation_id, ch.seq, ch.created_at, ch.event
      from participant p
      join ${lookUp('conversation', 'c', 'c.app_id = p.app_id and c.id = p.conversation_id')} on true
      cross join lateral (
        select ch.conversation_id, ch.seq, ch.created_at, ch.event from change ch
        where ch.app_id = $1 and ch.conversation_id = p.conversation_id
          and ch.created_at >= to_timestamp($3::float8 / 1000)
          and ch.seq > case when p.conversation_id = $4::uuid then $5::int8 else 0 end
          and p.owed @> ch.seq
          and (ch.only_user_ids = '{}' or $2 = any (ch.only_user_ids))
        order by ch.seq limit $6
      ) as ch
      where p.app_id = $1 and p.user_id = $2 and p.conversation_id >= $4::uuid
        and c.changed_at >= to_timestamp($3::float8 / 1000) and ${isHeldBy('p', '$1', '$2')}
      order by p.conversation_id, ch.seq
      limit $6`,
    values: [query.appId, query.userId, query.from, query.after.conversationId, query.after.seq, query.limit],
  });
}

export type ReplayedMessageRow = {
  conversation_id: string;
  position: number;
  /** The change that mentions the message; 0: any. */
  seq: number;
  /** False when the message is hidden from the user. */
  visible: boolean;
  /** The change number of the edit that replaced the body to be shown; null: the present one. */
  kept_seq: number | null;
  /** Bytes. */
  size: number;
  /** The conversation's side tables, as by `hasSideTable`. */
  side_tables: number;
  /** The change by which the user left; null: they take part, or a server reads. */
  left_seq: number | null;
};

/** `seq`: the change as of which a server's view shows the message. */
export type ReplayedPlace = { conversationId: string; position: number; seq: number };

function ofConversation(alias: string): string {
  return `${alias}.app_id = $1 and ${alias}.conversation_id = wanted.conversation_id`;
}

const AT_PLACE = `${ofConversation('m')} and m.position = wanted.position`;
const OF_USER = `${ofConversation('p')} and p.user_id = $2 and ${isHeldBy('p', '$1', '$2')}`;
const BITMAP_OF_USER = `${ofConversation('b')} and b.user_id = $2 and b.block = wanted.position / 256`;

const KEPT = keptVersion({
  hasVersions: 'c.has_versions',
  userId: '$2::text',
  asOf: `case when $2::text = '' then wanted.seq else p.left_seq end`,
});

/**
 * Messages that still exist, and whether the user sees them (an empty user id sees all). Leaves out messages of deleted
 * conversations. A user gets the body that they see; a server the one that the given change left, so that what a later edit says is not
 * shown to users from whom that edit is withheld.
 */
export function listReplayedMessages(
  sql: Sql,
  { appId, userId, places }: { appId: string; userId: string; places: readonly ReplayedPlace[] },
): Promise<ReplayedMessageRow[]> {
  return sql.query<ReplayedMessageRow>({
    name: 'list_replayed_messages',
    text: `
      select m.conversation_id, m.position, wanted.seq, kept.seq as kept_seq,
        coalesce(m.position > p.hidden_until, true) and coalesce(not p.unseen @> m.position, true)
          and coalesce(get_bit(b.hidden, (m.position % 256)::int) = 0, true) as visible,
        octet_length(${SEEN_BODY}) as size, c.side_tables, p.left_seq
      from unnest($3::uuid[], $4::int8[], $5::int8[]) as wanted (conversation_id, position, seq)
      join ${lookUp('message', 'm', AT_PLACE)} on ${existsFor('m', '$2::text')}
      join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = wanted.conversation_id')} on c.deleted_at is null
      left join ${lookUp('participant', 'p', OF_USER)} on true
      left join ${lookUp('participant_block', 'b', BITMAP_OF_USER)} on true
      left join ${KEPT} on true`,
    values: [
      appId,
      userId,
      column(places, 'conversationId'),
      column(places, 'position'),
      column(places, 'seq'),
    ],
  });
}
