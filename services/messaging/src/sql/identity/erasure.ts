import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import { keepScheduledPlaces, selectScheduled, type ScheduledRow } from '../message/scheduled-message.ts';
import type { IdentityRef } from './identity-copy.ts';

/**
 * The progress of an erasure: all conversations up to `done_until` are done, and the next one up to `done_position`.
 */
export type ErasureCursor = { doneUntil: string; donePosition: number };

/** `version`: data of earlier incarnations of the user is erased. */
export type Erasure = Leased & {
  app_id: string;
  user_id: string;
  done_until: string;
  done_position: number;
  version: number;
};

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['done_until', 'done_position', 'version'],
  mutable: ['done_until', 'done_position', 'version'],
  order: ['requested_at', 'user_id'],
});

/**
 * Requests the erasure of data from incarnations before a version. An erasure that was requested for the same or a
 * later version continues where it is.
 */
export async function insertErasure(
  sql: Sql,
  { appId, userId, version }: IdentityRef & { version: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id, version) values ($1, $2, $3)
      on conflict (app_id, user_id) do update
      set version = excluded.version, done_until = default, done_position = default
      where excluded.version > erasure.version`,
    values: [appId, userId, version],
  });
}

export async function advanceErasure(
  sql: Sql,
  { appId, userId }: IdentityRef,
  { doneUntil, donePosition }: ErasureCursor,
): Promise<void> {
  await sql.execute({
    text: `update erasure set done_until = $3, done_position = $4 where app_id = $1 and user_id = $2`,
    values: [appId, userId, doneUntil, donePosition],
  });
}

/** A conversation, and the position of its newest message. */
export type NextConversation = { id: string; head: number };

/**
 * The next conversation that a user took part in, or sent to as a bot without taking part; undefined: there is none.
 */
export async function findNextConversation(
  sql: Sql,
  { appId, userId }: IdentityRef,
  doneUntil: string,
): Promise<NextConversation | undefined> {
  const [row] = await sql.query<NextConversation>({
    text: `
      select c.id, c.head from (
        (select conversation_id as id from participant
          where app_id = $1 and user_id = $2 and conversation_id > $3
          order by app_id, user_id, conversation_id limit 1)
        union all
        (select conversation_id as id from outside_sender
          where app_id = $1 and user_id = $2 and conversation_id > $3
          order by app_id, user_id, conversation_id limit 1)
      ) as next
      join conversation c on c.app_id = $1 and c.id = next.id
      order by c.id limit 1`,
    values: [appId, userId, doneUntil],
  });
  return row;
}

/** The messages to erase between two positions of a conversation; `after` is excluded. */
export type ErasureRange = {
  appId: string;
  conversationId: string;
  after: number;
  until: number;
  senderId: string;
  version: number;
};

type UnerasedRow = { app_id: string; id: string; position: number };

const IS_TO_ERASE = `app_id = $1 and conversation_id = $2 and position > $3 and position <= $4
        and sender_id = $5 and coalesce(incarnation, 0) < $6 and (deleted_at is null or shadowed)`;

function valuesOf({ appId, conversationId, after, until, senderId, version }: ErasureRange): unknown[] {
  return [appId, conversationId, after, until, senderId, version];
}

/** The messages of a range that still have a body, by position. */
export function listUnerasedMessages(sql: Sql, span: ErasureRange, limit: number): Promise<UnerasedRow[]> {
  return sql.query({
    text: `
      select app_id, id, position from message where ${IS_TO_ERASE}
      order by app_id, conversation_id, position limit $7`,
    values: [...valuesOf(span), limit],
  });
}

/** Empties messages of a deleted conversation. No user sees them any more, so there is no event. */
export async function emptyMessages(sql: Sql, span: ErasureRange): Promise<void> {
  await sql.execute({
    text: `
      delete from message_version v where v.app_id = $1 and v.conversation_id = $2
        and v.position in (select position from message where ${IS_TO_ERASE})`,
    values: valuesOf(span),
  });
  await sql.execute({
    text: `update message set body = '', deleted_at = clock_timestamp(), shadowed = null where ${IS_TO_ERASE}`,
    values: valuesOf(span),
  });
}

/** Deletes and returns at most `limit` messages that a sender scheduled in an incarnation before a version. */
export function deleteScheduledOf(
  sql: Sql,
  { appId, userId, version }: IdentityRef & { version: number },
  limit: number,
): Promise<ScheduledRow[]> {
  return sql.query<ScheduledRow>({
    text: `
      with dropped as (
        delete from scheduled_message where app_id = $1 and id = any (array(
          select id from scheduled_message
          where app_id = $1 and sender_id = $2 and coalesce(incarnation, 0) < $3 limit $4))
        returning *
      ),
      kept as (${keepScheduledPlaces('dropped')})
      ${selectScheduled('dropped')}`,
    values: [appId, userId, version, limit],
  });
}
