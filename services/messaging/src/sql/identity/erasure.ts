import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/work/queue';
import type { IdentityRef } from './identity-copy.ts';
import type { MessageRef } from '../message/message.ts';

/** How far the erasure of a user is: all conversations up to one are done, and the next one up to a position. */
export type ErasureCursor = { done_until: string; done_position: number };

/** `version`: what is of an earlier incarnation of the user is to be erased. */
export type Erasure = IdentityRef & ErasureCursor & Leased & { version: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['done_until', 'done_position', 'version'],
  order: ['requested_at', 'user_id'],
});

/**
 * Requests the erasure of what is of an incarnation before a version. One that is requested already, for as late a version, goes
 * on where it is.
 */
export async function insertErasure(
  sql: Sql,
  { app_id, user_id, version }: IdentityRef & { version: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id, version) values ($1, $2, $3)
      on conflict (app_id, user_id) do update
      set version = excluded.version, done_until = default, done_position = default
      where excluded.version > erasure.version`,
    values: [app_id, user_id, version],
  });
}

export async function advanceErasure(
  sql: Sql,
  { app_id, user_id }: IdentityRef,
  { done_until, done_position }: ErasureCursor,
): Promise<void> {
  await sql.execute({
    text: `update erasure set done_until = $3, done_position = $4 where app_id = $1 and user_id = $2`,
    values: [app_id, user_id, done_until, done_position],
  });
}

/** A conversation, and the position of its newest message. */
export type NextConversation = { id: string; head: number };

/** The next conversation that a user took part in or, as a bot may, sent to without taking part; undefined: there is none. */
export async function findNextConversation(
  sql: Sql,
  { app_id, user_id }: IdentityRef,
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
    values: [app_id, user_id, doneUntil],
  });
  return row;
}

/** What is to be erased between two positions of a conversation, the first one excluded. */
export type ErasureSpan = {
  app_id: string;
  conversation_id: string;
  after: number;
  until: number;
  sender_id: string;
  version: number;
};

const IS_TO_ERASE = `app_id = $1 and conversation_id = $2 and position > $3 and position <= $4
        and sender_id = $5 and coalesce(incarnation, 0) < $6 and deleted_at is null`;

function valuesOf({ app_id, conversation_id, after, until, sender_id, version }: ErasureSpan): unknown[] {
  return [app_id, conversation_id, after, until, sender_id, version];
}

/** Messages of a stretch that still have a content, by position. */
export function listUnerasedMessages(
  sql: Sql,
  span: ErasureSpan,
  limit: number,
): Promise<(MessageRef & { position: number })[]> {
  return sql.query({
    text: `
      select app_id, id, position from message where ${IS_TO_ERASE}
      order by app_id, conversation_id, position limit $7`,
    values: [...valuesOf(span), limit],
  });
}

/** Empties messages of a deleted conversation: no user sees them any more, so that no event tells of it. */
export async function emptyMessages(sql: Sql, span: ErasureSpan): Promise<void> {
  await sql.execute({
    text: `update message set body = '', deleted_at = clock_timestamp() where ${IS_TO_ERASE}`,
    values: valuesOf(span),
  });
}

/** Deletes at most so many messages that a sender scheduled in an incarnation before a version, and says how many. */
export function deleteScheduledOf(
  sql: Sql,
  { app_id, user_id, version }: IdentityRef & { version: number },
  limit: number,
): Promise<number> {
  return sql.execute({
    text: `
      delete from scheduled_message where app_id = $1 and id = any (array(
        select id from scheduled_message
        where app_id = $1 and sender_id = $2 and coalesce(incarnation, 0) < $3 limit $4))`,
    values: [app_id, user_id, version, limit],
  });
}
