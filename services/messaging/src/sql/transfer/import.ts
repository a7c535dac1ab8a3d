import { lookUp } from '@parley/kit/postgres/look-up';
import { column, type Statement } from '../statement.ts';
import type { MessageRow } from '../message/message.ts';
import type { ParticipantRef } from '../conversation/participant.ts';

/** Inserts messages as they were, including edits. */
export function insertRestoredMessages(rows: readonly MessageRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'restore_messages',
    text: `
      insert into message (app_id, conversation_id, position, id, sender_id, sent_at, updated_at, low, body,
        incarnation, shadowed, deleted_at)
      select row.app_id, row.conversation_id, row.position, row.id, row.sender_id,
        to_timestamp(row.sent_at / 1000), to_timestamp(row.updated_at / 1000), false, row.body, nullif(i.incarnation, 0),
        nullif(row.shadowed, false), case when row.shadowed then to_timestamp(row.sent_at / 1000) end
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::uuid[], $5::text[], $6::float8[], $7::float8[], $8::bytea[],
        $9::boolean[]) as row (app_id, conversation_id, position, id, sender_id, sent_at, updated_at, body, shadowed)
      left join ${lookUp('identity_copy', 'i', 'i.app_id = row.app_id and i.user_id = row.sender_id')} on true`,
    values: [
      column(rows, 'app_id'),
      column(rows, 'conversation_id'),
      column(rows, 'position'),
      column(rows, 'id'),
      column(rows, 'sender_id'),
      column(rows, 'sent_at'),
      column(rows, 'updated_at'),
      column(rows, 'body'),
      rows.map(({ shadowed }) => shadowed === true),
    ],
  };
}

/**
 * Inserts former participants of whom nothing is stored yet. They see the messages of their memberships, and the present metadata from
 * then on.
 */
export function insertFormerParticipants(refs: readonly ParticipantRef[]): Statement | undefined {
  if (refs.length === 0) return undefined;
  return {
    name: 'insert_former_participants',
    text: `
      insert into participant (app_id, conversation_id, user_id, member, joined_seq, left_seq, left_head, owed,
        left_metadata, left_metadata_seq, left_message_at, incarnation)
      select row.app_id, row.conversation_id, row.user_id, '{}', 1, 1, 0, '{}', c.metadata, 1, c.last_message_at,
        nullif(i.incarnation, 0)
      from unnest($1::uuid[], $2::uuid[], $3::text[]) as row (app_id, conversation_id, user_id)
      join ${lookUp('conversation', 'c', 'c.app_id = row.app_id and c.id = row.conversation_id')} on true
      left join ${lookUp('identity_copy', 'i', 'i.app_id = row.app_id and i.user_id = row.user_id')} on true
      on conflict do nothing`,
    values: [column(refs, 'appId'), column(refs, 'conversationId'), column(refs, 'userId')],
  };
}

export type MembershipRow = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  member: string;
  left_head: number | null;
};

/**
 * Runs as a statement of its own, since another part may write the same rows' progress. The last message that a former participant
 * got decides where the conversation stands in their list.
 */
export function updateMemberships(rows: readonly MembershipRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'update_memberships',
    text: `
      update participant p set member = row.member::int8multirange, left_head = row.left_head,
        left_message_at = case when p.left_head is distinct from row.left_head then (
            select m.sent_at from message m
            where m.app_id = row.app_id and m.conversation_id = row.conversation_id and m.position = row.left_head)
          else p.left_message_at end
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int8[])
        as row (app_id, conversation_id, user_id, member, left_head)
      where p.app_id = row.app_id and p.conversation_id = row.conversation_id and p.user_id = row.user_id`,
    values: [
      column(rows, 'app_id'),
      column(rows, 'conversation_id'),
      column(rows, 'user_id'),
      column(rows, 'member'),
      column(rows, 'left_head'),
    ],
  };
}
