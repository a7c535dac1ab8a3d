import type { Sql } from '@parley/kit/postgres';
import type { Turn } from '../timers/work-in-turn.ts';

export type NewMessage = {
  appId: string;
  id: string;
  conversationId: string;
  senderId: string;
  /** Of the sender. */
  incarnation: number;
  claimedAt: number;
};

/**
 * A message that is there already is to be looked at again. False when it is known to be deleted, or of a later incarnation of
 * the sender: the row stays locked then, too.
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
 * A sender who was erased and came back claims an id that an earlier incarnation claimed: the message is of the later one from
 * then on, and not deleted with what is of the earlier one. False when it is of no earlier one.
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

/** Moves a message on to an event. False when the message never had content, is deleted, or knows of a later event. */
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

/** Gives those that were not known to be deleted. */
export async function markMessagesDeleted(
  sql: Sql,
  { appId, ids, at }: { appId: string; ids: readonly string[]; at: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      update content_message set deleted_at = to_timestamp($3 / 1000.0)
      where ctid = any (array(
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

/** Claims made before that time of messages that were not looked at since, by application. */
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

/** False when there was another claim meanwhile. */
export async function confirmMessage(sql: Sql, claim: ClaimRow): Promise<boolean> {
  const confirmed = await sql.execute({
    text: `
      update content_message set confirmed = true
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at],
  });
  return confirmed > 0;
}

/** Puts off looking at a claim. */
export async function deferClaim(sql: Sql, claim: ClaimRow, at: number): Promise<void> {
  await sql.execute({
    text: `
      update content_message set claimed_at = to_timestamp($4 / 1000.0)
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at, at],
  });
}

/** Forgets a claim that came to nothing: its id may be used yet. False when there was another claim meanwhile. */
export async function deleteClaim(sql: Sql, claim: ClaimRow): Promise<boolean> {
  const deleted = await sql.execute({
    text: `
      delete from content_message
      where app_id = $1 and id = $2 and claimed_at = to_timestamp($3 / 1000.0) and deleted_at is null`,
    values: [claim.app_id, claim.id, claim.claimed_at],
  });
  return deleted > 0;
}

/** What was claimed for announcements that are on record by now; without any content it changes nothing. */
export async function confirmAnnouncements(sql: Sql, appId: string, ids: readonly string[]): Promise<void> {
  await sql.execute({
    text: `
      update content_message set confirmed = true
      where ctid = any (array(
        select ctid from content_message
        where app_id = $1 and id = any ($2::uuid[]) and deleted_at is null
        order by id for no key update))`,
    values: [appId, ids],
  });
}

export function purgeMessagesDeletedBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content_message where ctid = any (array(
        select ctid from content_message where deleted_at < to_timestamp($1 / 1000.0) limit $2))`,
    values: [time, limit],
  });
}
