import type { Sql } from '@parley/kit/postgres';
import type { Turn } from './turn.ts';

export type NewMessage = {
  appId: string;
  id: string;
  conversationId: string;
  senderId: string;
  /** The sender's. */
  incarnation: number;
  claimedAt: number;
};

/**
 * Records a claim of content for a message; an existing record has to be verified again. False, with the row locked all the
 * same, when the message is deleted or belongs to a later incarnation of the sender.
 */
export async function insertMessage(sql: Sql, message: NewMessage): Promise<boolean> {
  const claimed = await sql.execute({
    text: `
      insert into content_message (app_id, id, conversation_id, sender_id, claimed_at, incarnation)
      values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), nullif($6::float8, 0))
      on conflict (app_id, id) do update set claimed_at = excluded.claimed_at, confirmed = false
        where content_message.deleted_at is null
          and (content_message.sender_id <> excluded.sender_id
            or coalesce(content_message.incarnation, 0) <= coalesce(excluded.incarnation, 0))`,
    values: [
      message.appId,
      message.id,
      message.conversationId,
      message.senderId,
      message.claimedAt,
      message.incarnation,
    ],
  });
  return claimed > 0;
}

/**
 * Moves a message to a later incarnation of its sender, who was erased, came back, and claims the same id: it is not deleted
 * with the earlier incarnation's messages. False when the record belongs to no earlier incarnation.
 */
export async function raiseIncarnation(sql: Sql, message: NewMessage): Promise<boolean> {
  if (message.incarnation === 0) return false;
  const raised = await sql.execute({
    text: `
      update content_message set incarnation = $6, conversation_id = $3, claimed_at = to_timestamp($5::float8 / 1000),
        confirmed = false, deleted_at = null
      where app_id = $1 and id = $2 and sender_id = $4 and coalesce(incarnation, 0) < $6`,
    values: [
      message.appId,
      message.id,
      message.conversationId,
      message.senderId,
      message.claimedAt,
      message.incarnation,
    ],
  });
  return raised > 0;
}

/** Records an event's sequence number. False when the message never had content, is deleted, or has seen a later event. */
export async function advanceMessage(
  sql: Sql,
  { appId, id, seq }: { appId: string; id: string; seq: number },
): Promise<boolean> {
  const advanced = await sql.execute({
    text: `
      update content_message set seq = $3 where app_id = $1 and id = $2 and seq < $3 and deleted_at is null`,
    values: [appId, id, seq],
  });
  return advanced > 0;
}

/** Marks messages as deleted; returns the ids of those that were not marked before. */
export async function markMessagesDeleted(
  sql: Sql,
  { appId, ids, at }: { appId: string; ids: readonly string[]; at: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      update content_message set deleted_at = to_timestamp($3 / 1000.0)
      where app_id = $1 and id = any ($2::uuid[]) and ctid = any (array(
        select ctid from content_message
        where app_id = $1 and deleted_at is null and id = any ($2::uuid[])
        order by id for no key update))
      returning id`,
    values: [appId, ids, at],
  });
  return rows.map(({ id }) => id);
}

export type ClaimRow = { app_id: string; id: string; conversation_id: string; claimed_at: number };

const UNCONFIRMED = 'not confirmed and deleted_at is null';

/** Unverified claims made before a time, in turn by application. */
export function listUnconfirmed(
  sql: Sql,
  { after, before, share, limit }: Turn & { before: number },
): Promise<ClaimRow[]> {
  return sql.query<ClaimRow>({
    text: `
      with recursive app as (
        (select app_id from content_message where ${UNCONFIRMED} and app_id > $1::uuid
          order by app_id, claimed_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select m.app_id from content_message m where ${UNCONFIRMED} and m.app_id > app.app_id
          order by m.app_id, m.claimed_at limit 1) next
      )
      select claim.* from app cross join lateral (
        select app_id, id, conversation_id, claimed_at from content_message
        where ${UNCONFIRMED} and app_id = app.app_id and claimed_at < to_timestamp($2::float8 / 1000)
        order by app_id, claimed_at limit $3) claim
      limit $4`,
    values: [after, before, share, limit],
  });
}

/** Marks the message of a claim as existing. False when it was claimed again in the meantime. */
export async function confirmMessage(sql: Sql, claim: ClaimRow): Promise<boolean> {
  const confirmed = await sql.execute({
    text: `
      update content_message set confirmed = true
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at],
  });
  return confirmed > 0;
}

/** Postpones the verification of a claim. */
export async function deferClaim(sql: Sql, claim: ClaimRow, at: number): Promise<void> {
  await sql.execute({
    text: `
      update content_message set claimed_at = to_timestamp($4 / 1000.0)
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at, at],
  });
}

/** Deletes the claim of a message that was never created: its id may still be used. False when it was claimed again. */
export async function deleteClaim(sql: Sql, claim: ClaimRow): Promise<boolean> {
  const deleted = await sql.execute({
    text: `
      delete from content_message
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at],
  });
  return deleted > 0;
}

/** Confirms claims made for announcements, which are stored by now; announcements without content have none. */
export async function confirmAnnouncements(sql: Sql, appId: string, ids: readonly string[]): Promise<void> {
  await sql.execute({
    text: `
      update content_message set confirmed = true
      where app_id = $1 and id = any ($2::uuid[]) and ctid = any (array(
        select ctid from content_message
        where app_id = $1 and id = any ($2::uuid[]) and deleted_at is null
        order by id for no key update))`,
    values: [appId, ids],
  });
}

/** Deletes at most `limit` records of messages that were deleted before a time; returns how many. */
export function purgeMessagesDeletedBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content_message where (app_id, id, ctid) in (
        select app_id, id, ctid from content_message where deleted_at < to_timestamp($1 / 1000.0) limit $2)`,
    values: [time, limit],
  });
}
