import type { Sql } from '@parley/kit/postgres';
import type { IdentityRef } from './identity-copy.ts';
import type { MessageRef } from './message.ts';

export type ErasureRow = IdentityRef & { done_until: string };

/** Asked for again, it begins anew: there may be more by now. */
export async function insertErasure(sql: Sql, user: IdentityRef): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id) values ($1, $2)
      on conflict (app_id, user_id) do update set done_until = default`,
    values: [user.app_id, user.user_id],
  });
}

/** Somebody who is to be erased, whom nobody else works on until the end of the transaction. */
export async function takeErasure(sql: Sql): Promise<ErasureRow | undefined> {
  const [row] = await sql.query<ErasureRow>({
    text: `select app_id, user_id, done_until from erasure order by requested_at limit 1 for update skip locked`,
  });
  return row;
}

export async function moveErasure(sql: Sql, erasure: ErasureRow, doneUntil: string): Promise<void> {
  await sql.execute({
    text: `update erasure set done_until = $3 where app_id = $1 and user_id = $2`,
    values: [erasure.app_id, erasure.user_id, doneUntil],
  });
}

export async function deleteErasure(sql: Sql, { app_id, user_id }: IdentityRef): Promise<void> {
  await sql.execute({
    text: `delete from erasure where app_id = $1 and user_id = $2`,
    values: [app_id, user_id],
  });
}

/**
 * The next conversation that a user took part in or, as a bot may without taking part, could have sent to; undefined:
 * there is none.
 */
export async function findNextConversation(sql: Sql, erasure: ErasureRow): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>({
    text: `
      select id from (
        (select conversation_id as id from participant
          where app_id = $1 and user_id = $2 and conversation_id > $3 order by conversation_id limit 1)
        union all
        (select id from conversation
          where app_id = $1 and id > $3
            and exists (select from identity_copy where app_id = $1 and user_id = $2 and is_bot)
          order by id limit 1)
      ) as next order by id limit 1`,
    values: [erasure.app_id, erasure.user_id, erasure.done_until],
  });
  return row?.id;
}

/** Messages of a sender in a conversation that still have a content. */
export async function listUnerasedMessages(
  sql: Sql,
  query: { app_id: string; conversation_id: string; sender_id: string; limit: number },
): Promise<MessageRef[]> {
  return sql.query<MessageRef>({
    text: `
      select app_id, id from message
      where app_id = $1 and conversation_id = $2 and sender_id = $3 and deleted_at is null
      order by position limit $4`,
    values: [query.app_id, query.conversation_id, query.sender_id, query.limit],
  });
}

/** What nobody sees any more, for its conversation is deleted, goes without anybody being told. */
export async function emptyMessages(
  sql: Sql,
  { app_id, conversation_id, sender_id }: { app_id: string; conversation_id: string; sender_id: string },
): Promise<void> {
  await sql.execute({
    text: `
      update message set body = '', deleted_at = clock_timestamp()
      where app_id = $1 and conversation_id = $2 and sender_id = $3 and deleted_at is null`,
    values: [app_id, conversation_id, sender_id],
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

export async function deleteScheduledOf(sql: Sql, { app_id, user_id }: IdentityRef): Promise<void> {
  await sql.execute({
    text: `delete from scheduled_message where app_id = $1 and sender_id = $2`,
    values: [app_id, user_id],
  });
}
