import { noBits, withBit } from '@parley/domain/bits';
import type { Sql, Tx } from '@parley/kit/postgres';
import { bitmapOf, bitOf } from '../../read-state/bitmap.ts';
import { isHeld } from '../conversation/participant.ts';
import { column, WRITE_CONDITION, type Statement } from '../statement.ts';
import { incarnationOf } from './message-deletion.ts';
import type { MessageRow } from './message.ts';

/** SQL of whether message `alias` is shadowed and of the reader, a user id, who has not deleted it on their devices. */
export function isOwnShadowed(alias: string, reader: string): string {
  return `coalesce(${alias}.shadowed, false) and ${alias}.deleted_by is null and ${alias}.sender_id = ${reader}
    and coalesce(${alias}.incarnation, 0) >= coalesce((
      select sender.participations_from from identity_copy sender
      where sender.app_id = ${alias}.app_id and sender.user_id = ${alias}.sender_id), 0)`;
}

/** SQL of whether a message is there for a reader, where an empty user id stands for a server. */
export function existsFor(alias: string, reader: string): string {
  return `(${alias}.deleted_at is null or coalesce(${alias}.shadowed, false) and (${reader} = '' or ${isOwnShadowed(alias, reader)}))`;
}

/** Inserts messages that count as deleted for everybody. */
export function insertShadowed(messages: readonly MessageRow[]): Statement | undefined {
  if (messages.length === 0) return undefined;
  const rows = messages.toSorted((a, b) => (a.app_id + a.id < b.app_id + b.id ? -1 : 1));
  return {
    name: 'insert_shadowed_messages',
    text: `
      insert into message (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body,
        incarnation, deleted_at, shadowed)
      select row.app_id, row.conversation_id, row.position, row.id, row.request_id, row.sender_id,
        to_timestamp(row.sent_at / 1000), row.low, row.body, row.incarnation, to_timestamp(row.sent_at / 1000), true
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::uuid[], $5::uuid[], $6::text[], $7::float8[], $8::boolean[],
        $9::bytea[], $10::float8[]) as row (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low,
        body, incarnation)
      where ${WRITE_CONDITION}`,
    values: [
      column(rows, 'app_id'),
      column(rows, 'conversation_id'),
      column(rows, 'position'),
      column(rows, 'id'),
      column(rows, 'request_id'),
      column(rows, 'sender_id'),
      column(rows, 'sent_at'),
      column(rows, 'low'),
      column(rows, 'body'),
      column(rows, 'incarnation'),
    ],
  };
}

/**
 * Lets a shadowed message at the end of a locked conversation pass unnoticed: its position counts for nobody, and the conversation neither
 * returns to the lists of users who have hidden it nor moves in those of users from whom the messages before are withheld. In the list of its
 * sender alone it moves.
 */
export async function passUnnoticed(tx: Tx, row: MessageRow): Promise<void> {
  const { app_id: appId, conversation_id: conversationId, position, sender_id: senderId } = row;
  const bit = bitOf(position);
  await tx.execute({
    name: 'exclude_position',
    text: `
      insert into conversation_block as b (app_id, conversation_id, block, low, deleted) values ($1, $2, $3, $4, $5)
      on conflict (app_id, conversation_id, block) do update
      set low = set_bit(b.low, $6::int4, 0), deleted = set_bit(b.deleted, $6::int4, 1)`,
    values: [appId, conversationId, bitmapOf(position), noBits(), withBit(noBits(), bit), bit],
  });
  await tx.execute({
    name: 'stay_unlisted',
    text: `
      update participant p set unlisted_at = $3
      where p.app_id = $1 and p.conversation_id = $2 and p.unlisted_at = $3 - 1 and p.left_seq is null and p.user_id <> $4`,
    values: [appId, conversationId, position, senderId],
  });
  await tx.execute({
    name: 'stay_in_place',
    text: `
      update list_place place set withheld_until = $3
      where place.app_id = $1 and place.conversation_id = $2 and place.withheld_until = $3 - 1`,
    values: [appId, conversationId, position],
  });
  await tx.execute({
    name: 'move_own_place',
    text: `
      insert into list_place as place (app_id, conversation_id, user_id, withheld_until, message_at)
      select p.app_id, p.conversation_id, p.user_id, $4::int8, to_timestamp($5::float8 / 1000) from participant p
      where p.app_id = $1 and p.conversation_id = $2 and p.user_id = $3 and ${isHeld()}
      on conflict (app_id, conversation_id, user_id) do update
      set withheld_until = greatest(place.withheld_until, excluded.withheld_until), message_at = excluded.message_at`,
    values: [appId, conversationId, senderId, position, row.sent_at],
  });
}

/** SQL of the time of the newest shadowed message that a user sees as its sender; null: there is none. */
export function newestOwnShadowedAt(of: { appId: string; conversationId: string; userId: string }): string {
  return `(
          select max(own.sent_at) from message own
          where own.app_id = ${of.appId} and own.conversation_id = ${of.conversationId} and own.shadowed
            and ${isOwnShadowed('own', of.userId)})`;
}

/** Takes a shadowed message that is emptied already out of the order of its sender's list, if it is the newest. */
export function moveBackOwnPlace({ app_id, conversation_id, sender_id, sent_at }: MessageRow): Statement {
  const own = { appId: '$1::uuid', conversationId: '$2::uuid', userId: '$3::text' };
  return {
    name: 'move_back_own_place',
    text: `
      update list_place place set message_at = greatest(c.last_message_at, ${newestOwnShadowedAt(own)})
      from conversation c
      where place.app_id = $1::uuid and place.conversation_id = $2::uuid and place.user_id = $3::text
        and place.message_at = to_timestamp($4::float8 / 1000)
        and c.app_id = place.app_id and c.id = place.conversation_id`,
    values: [app_id, conversation_id, sender_id, sent_at],
  };
}

/** Hides a shadowed message from its sender; servers go on seeing it. */
export function hideShadowed({ app_id, conversation_id, position, sender_id }: MessageRow): Statement {
  return {
    name: 'hide_shadowed',
    text: `
      update message set deleted_by = $4::text, deleted_by_incarnation = ${incarnationOf('$4')}
      where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values: [app_id, conversation_id, position, sender_id],
  };
}

/** The part of a conversation that a reader sees. `after`: excluded. `unseen`: positions that they do not see, an int8multirange. */
export type SeenPart = { conversationId: string; after: number; until: number; unseen: string | null };

/** `newest`: a position; null: there is none. */
export type ShadowedCount = { conversation_id: string; count: number; newest: number | null };

/** How many shadowed messages a reader sees in parts of conversations, one row for each; an empty user id stands for a server. */
export function countShadowed(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  parts: readonly SeenPart[],
): Promise<ShadowedCount[]> {
  const values: unknown[] = [
    appId,
    column(parts, 'conversationId'),
    column(parts, 'after'),
    column(parts, 'until'),
    column(parts, 'unseen'),
  ];
  if (userId) values.push(userId);
  return sql.query<ShadowedCount>({
    name: userId ? 'count_own_shadowed' : 'count_shadowed',
    text: `
      select part.conversation_id, found.count, found.newest
      from unnest($2::uuid[], $3::int8[], $4::int8[], $5::text[]) as part (conversation_id, after, until, unseen)
      cross join lateral (
        select count(*) as count, max(m.position) as newest from message m
        where m.app_id = $1 and m.conversation_id = part.conversation_id and m.shadowed
          and m.position > part.after and m.position <= part.until
          and not m.position <@ coalesce(part.unseen, '{}')::int8multirange
          ${userId ? `and ${isOwnShadowed('m', '$6')}` : ''}) found`,
    values,
  });
}
