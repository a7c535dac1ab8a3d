import type { Sql } from '@parley/kit/postgres';
import { rowParameters } from '../row-parameters.ts';
import { column, WRITE_CONDITION, type Statement } from '../statement.ts';
import { incarnationOf } from './message-deletion.ts';
import { SEEN_BODY, SEEN_UPDATED_AT } from './message-version.ts';
import { existsFor } from './shadowed.ts';

export type MessageRow = {
  app_id: string;
  conversation_id: string;
  position: number;
  id: string;
  request_id: string | null;
  sender_id: string;
  sent_at: number;
  updated_at: number | null;
  low: boolean;
  /** parley.messaging.v1.MessageBody; empty once deleted. */
  body: Uint8Array;
  deleted_at: number | null;
  deleted_by: string | null;
  /** Sent under a shadow restriction: deleted for everybody but its sender and servers. */
  shadowed?: boolean | null;
  /** The sender's incarnation; null: 0. */
  incarnation: number | null;
};

/** A message with the copy of its sender's display fields. */
export type ShownMessageRow = MessageRow & {
  sender_display_name: string | null;
  sender_avatar_url: string | null;
};

/** Whether message `m` is of an erased person, and not of the one who has the sender's user id now, of the copy `i`. */
export const IS_OF_ERASED = 'coalesce(m.incarnation, 0) < coalesce(i.participations_from, 0)';

function ofSender(column: string): string {
  return `case when ${IS_OF_ERASED} then null else ${column} end`;
}

/**
 * The columns of ShownMessageRow, of `message m left join identity_copy i`: with the present body. A message of an erased person does not
 * show the names of the next one.
 */
export const SHOWN_MESSAGE_COLUMNS = columnsWith('m.body', 'm.updated_at');

/** The columns of a message with the body that a reader sees, where `keptVersion` is joined. */
export const SEEN_MESSAGE_COLUMNS = columnsWith(`${SEEN_BODY} as body`, `${SEEN_UPDATED_AT} as updated_at`);

/** As SHOWN_MESSAGE_COLUMNS or SEEN_MESSAGE_COLUMNS, for a reader: a message that they see though it is shadowed counts as not deleted. */
export function columnsFor(body: 'seen' | 'stored', reader: string): string {
  const deletedAt = `case when ${existsFor('m', reader)} then null else m.deleted_at end as deleted_at`;
  return body === 'seen'
    ? columnsWith(`${SEEN_BODY} as body`, `${SEEN_UPDATED_AT} as updated_at`, deletedAt)
    : columnsWith('m.body', 'm.updated_at', deletedAt);
}

function columnsWith(body: string, updatedAt: string, deletedAt = 'm.deleted_at'): string {
  return `m.app_id, m.conversation_id, m.position, m.id, m.request_id, m.sender_id, m.sent_at,
  ${updatedAt}, m.low, ${body}, ${deletedAt}, m.deleted_by, m.shadowed, m.incarnation,
  ${ofSender('i.display_name')} as sender_display_name, ${ofSender('i.avatar_url')} as sender_avatar_url`;
}

const MESSAGE = rowParameters<MessageRow>('row', {
  app_id: 'uuid',
  conversation_id: 'uuid',
  position: 'int8',
  id: 'uuid',
  request_id: 'uuid',
  sender_id: 'text',
  sent_at: 'float8',
  low: 'boolean',
  body: 'bytea',
  incarnation: 'float8',
});

/**
 * Fails with a unique violation when an id is taken. Ids are inserted in order, so that racing batches do not deadlock.
 */
export function insertMessages(messages: readonly MessageRow[]): Statement | undefined {
  if (messages.length === 0) return undefined;
  const row = MESSAGE.of(messages.toSorted((a, b) => (a.app_id + a.id < b.app_id + b.id ? -1 : 1)));
  return {
    name: `insert_messages${row.suffix}`,
    text: `
      insert into message (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body,
        incarnation)
      select row.app_id, row.conversation_id, row.position, row.id, row.request_id, row.sender_id,
        to_timestamp(row.sent_at / 1000), row.low, row.body, row.incarnation
      from ${row.sql}
      where ${WRITE_CONDITION}`,
    values: row.values,
  };
}

/** Empties a message but keeps its row: every position has one. */
export function eraseMessage(message: MessageRow, by: { userId: string | null; at: number }): Statement {
  return {
    name: 'erase_message',
    text: `
      update message set body = '', shadowed = null, deleted_at = to_timestamp($4::float8 / 1000), deleted_by = $5::text,
        deleted_by_incarnation = ${incarnationOf('$5')}
      where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values: [message.app_id, message.conversation_id, message.position, by.at, by.userId],
  };
}

export type MessageRef = { appId: string; id: string };

/** A message's place and sender, which never change. */
export type MessagePlace = {
  app_id: string;
  id: string;
  conversation_id: string;
  position: number;
  sender_id: string;
  /** Whether it is shadowed, and its sender still sees it. Absent: not known. */
  is_shadowed?: boolean;
};

export function listMessagePlaces(sql: Sql, refs: readonly MessageRef[]): Promise<MessagePlace[]> {
  return sql.query<MessagePlace>({
    name: 'list_message_places',
    text: `
      select m.app_id, m.id, m.conversation_id, m.position, m.sender_id, coalesce(m.shadowed, false) and m.deleted_by is null as is_shadowed
      from (select distinct * from unnest($1::uuid[], $2::uuid[])) as wanted (app_id, id)
      join message m on m.app_id = wanted.app_id and m.id = wanted.id`,
    values: [column(refs, 'appId'), column(refs, 'id')],
  });
}

export async function findMessage(sql: Sql, ref: MessageRef): Promise<ShownMessageRow | undefined> {
  const [row] = await sql.query<ShownMessageRow>({
    name: 'find_message',
    text: `
      select ${SHOWN_MESSAGE_COLUMNS}
      from message m left join identity_copy i on i.app_id = m.app_id and i.user_id = m.sender_id
      where m.app_id = $1 and m.id = $2`,
    values: [ref.appId, ref.id],
  });
  return row;
}
