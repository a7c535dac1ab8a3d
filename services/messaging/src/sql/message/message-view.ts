import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import { columnsFor, IS_OF_ERASED, type MessageRef, type ShownMessageRow } from './message.ts';
import { keptVersion, SEEN_BODY } from './message-version.ts';
import { existsFor } from './shadowed.ts';

/** A message with the columns that decide whether a user sees it. */
export type MessageViewRow = ShownMessageRow & {
  head: number;
  conversation_deleted_at: number | null;
  side_tables: number;
  // Columns of the user's participant row.
  left_seq: number | null;
  left_head: number | null;
  /** Null: the user never took part. */
  hidden_until: number | null;
  /** The message was hidden from the user, or is from a time that they are not shown. */
  is_hidden: boolean;
  /** The sender was erased; their user id may be another person's now. */
  is_of_erased: boolean;
  /** The user who deleted the message for all was erased; their id may be another person's now. */
  is_deleted_by_erased: boolean;
};

const KEPT = keptVersion({ hasVersions: 'c.has_versions', userId: '$3::text', asOf: 'p.left_seq' });

/** `body`: the one that the user sees, or the stored one, for a change of it. */
type ViewQuery = MessageRef & { userId: string; body: 'seen' | 'stored' };

/** Finds the row of a message; for an empty `user_id` the user's columns are null. */
export async function findMessageViewRow(
  sql: Sql,
  { appId, id, userId, body }: ViewQuery,
): Promise<MessageViewRow | undefined> {
  const [row] = await sql.query<MessageViewRow>({
    name: `find_message_view_${body}`,
    text: `${viewText(body)}
      where m.app_id = $1 and m.id = $2`,
    values: [appId, id, userId],
  });
  return row;
}

/** SQL of messages with their reader's columns, for a `where`; `$3` is the reader. */
function viewText(body: ViewQuery['body']): string {
  return `
      select ${columnsFor(body, '$3')}, c.head, c.deleted_at as conversation_deleted_at, c.side_tables, p.left_seq, p.left_head,
        p.hidden_until, coalesce(get_bit(b.hidden, (m.position % 256)::int) = 1, false) or coalesce(p.unseen @> m.position, false) as is_hidden,
        ${IS_OF_ERASED} as is_of_erased,
        m.deleted_by is not null and coalesce(m.deleted_by_incarnation, 0) < coalesce((
          select deleter.participations_from from identity_copy deleter
          where deleter.app_id = m.app_id and deleter.user_id = m.deleted_by), 0) as is_deleted_by_erased
      from message m
      join ${lookUp('conversation', 'c', 'c.app_id = m.app_id and c.id = m.conversation_id')} on true
      left join ${lookUp('identity_copy', 'i', 'i.app_id = m.app_id and i.user_id = m.sender_id')} on true
      left join ${lookUp(
        'participant',
        'p',
        `p.app_id = m.app_id and p.conversation_id = m.conversation_id
        and p.user_id = $3 and ${isHeld()}`,
      )} on true
      left join ${lookUp(
        'participant_block',
        'b',
        `b.app_id = m.app_id and b.conversation_id = m.conversation_id
        and b.user_id = $3 and b.block = m.position / 256`,
      )} on true
      ${body === 'seen' ? `left join ${KEPT} on true` : ''}`;
}

type TextQuery = {
  appId: string;
  userId: string;
  messageIds: readonly string[];
  text: string;
  limit: number;
};

/**
 * Lists those of the messages that exist, in conversations that the user takes or took part in, and whose bodies as they see them have the bytes
 * of a text; the greatest ids first.
 */
export function listMessagesWithText(
  sql: Sql,
  { appId, userId, messageIds, text, limit }: TextQuery,
): Promise<MessageViewRow[]> {
  return sql.query<MessageViewRow>({
    name: 'list_messages_with_text',
    text: `${viewText('seen')}
      where m.app_id = $1 and m.id = any ($2::uuid[]) and ${existsFor('m', '$3')} and c.deleted_at is null
        and p.user_id is not null and position(convert_to($4, 'UTF8') in ${SEEN_BODY}) > 0
      order by m.id desc limit $5`,
    values: [appId, messageIds, userId, text, limit],
  });
}
