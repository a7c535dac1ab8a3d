import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/work-queue';
import type { IdentityRef } from './identity-copy.ts';
import type { MessageRef } from './message.ts';

/** How far the erasure of a user is: all conversations up to one are done, and the next one up to a position. */
export type ErasureCursor = { done_until: string; done_position: number };

export type Erasure = IdentityRef & ErasureCursor & Leased;

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['done_until', 'done_position'],
  order: ['requested_at', 'user_id'],
});

/** Requested again, an erasure begins anew: there may be more by now. */
export async function insertErasure(sql: Sql, user: IdentityRef): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id) values ($1, $2)
      on conflict (app_id, user_id) do update set done_until = default, done_position = default`,
    values: [user.app_id, user.user_id],
  });
}

export async function moveErasure(
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

/**
 * The next conversation that a user took part in or, as a bot may without taking part, could have sent to; undefined:
 * there is none.
 */
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
        (select id from conversation
          where app_id = $1 and id > $3
            and exists (select from identity_copy where app_id = $1 and user_id = $2 and is_bot)
          order by app_id, id limit 1)
      ) as next
      join conversation c on c.app_id = $1 and c.id = next.id
      order by c.id limit 1`,
    values: [app_id, user_id, doneUntil],
  });
  return row;
}

/** Positions of one conversation, the first one excluded. */
export type Stretch = { app_id: string; conversation_id: string; after: number; until: number };

/** Messages of a sender in a stretch that still have a content, by position. */
export function listUnerasedMessages(
  sql: Sql,
  query: Stretch & { sender_id: string; limit: number },
): Promise<(MessageRef & { position: number })[]> {
  return sql.query({
    text: `
      select app_id, id, position from message
      where app_id = $1 and conversation_id = $2 and position > $3 and position <= $4
        and sender_id = $5 and deleted_at is null
      order by app_id, conversation_id, position limit $6`,
    values: [
      ...[query.app_id, query.conversation_id, query.after, query.until],
      ...[query.sender_id, query.limit],
    ],
  });
}

/** Empties messages of a deleted conversation: no user sees them any more, so that no event tells of it. */
export async function emptyMessages(sql: Sql, stretch: Stretch & { sender_id: string }): Promise<void> {
  await sql.execute({
    text: `
      update message set body = '', deleted_at = clock_timestamp()
      where app_id = $1 and conversation_id = $2 and position > $3 and position <= $4
        and sender_id = $5 and deleted_at is null`,
    values: [...[stretch.app_id, stretch.conversation_id, stretch.after, stretch.until], stretch.sender_id],
  });
}

/** What a participant has read and received is not known any more. What they hid stays hidden. */
export async function eraseReceipts(
  sql: Sql,
  { app_id, conversation_id, user_id }: IdentityRef & { conversation_id: string },
): Promise<void> {
  const values = [app_id, conversation_id, user_id];
  await sql.execute({
    text: `delete from participant_block where app_id = $1 and conversation_id = $2 and user_id = $3`,
    values,
  });
  await sql.execute({
    text: `
      update participant
      set read_until = 0, delivered_until = 0, covered_count = 0, hidden_count = 0
      where app_id = $1 and conversation_id = $2 and user_id = $3`,
    values,
  });
}

/** Deletes at most so many messages that a sender scheduled, and says how many. */
export function deleteScheduledOf(
  sql: Sql,
  { app_id, user_id }: IdentityRef,
  limit: number,
): Promise<number> {
  return sql.execute({
    text: `
      delete from scheduled_message where app_id = $1 and id = any (array(
        select id from scheduled_message where app_id = $1 and sender_id = $2 limit $3))`,
    values: [app_id, user_id, limit],
  });
}
