import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import type { Recipient } from './received.ts';

export type Erasure = Leased & {
  user_id: string;
  /** The records of incarnations before this version are erased. */
  version: number;
  /** The last announcement and recipient that were worked off: see `deleteFromRecipients`. */
  taken_back_announcement: string;
  taken_back_user: string;
};

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['version', 'taken_back_announcement', 'taken_back_user'],
  mutable: ['version', 'taken_back_announcement', 'taken_back_user'],
  order: ['requested_at', 'user_id'],
});

export type NewErasure = Recipient & { version: number };

/**
 * Queues erasures. After the commit no new fan-out delivers to an earlier incarnation of the users. A repeated or late erasure
 * finds nothing to delete, since the records of a user who came back bear a later incarnation.
 */
export async function insertErasures(sql: Sql, users: readonly NewErasure[]): Promise<void> {
  await sql.execute({
    name: 'insert_erasures',
    text: `
      with erased as (
        select app_id, user_id, max(version) as version
        from unnest($1::uuid[], $2::text[], $3::float8[]) as erased (app_id, user_id, version)
        group by app_id, user_id
      ), known as (
        insert into erased_user as known (app_id, user_id, version)
        select app_id, user_id, version from erased order by app_id, user_id
        on conflict (app_id, user_id) do update set version = excluded.version
        where excluded.version > known.version
      )
      insert into erasure (app_id, user_id, version)
      select app_id, user_id, version from erased order by app_id, user_id
      on conflict (app_id, user_id) do update
      set version = excluded.version, taken_back_announcement = default, taken_back_user = default
      where excluded.version > erasure.version`,
    values: [
      users.map(({ appId }) => appId),
      users.map(({ userId }) => userId),
      users.map(({ version }) => version),
    ],
  });
}

/** Records the last announcement and recipient that were worked off. */
export async function saveErasureProgress(
  sql: Sql,
  { appId, userId }: Recipient,
  last: { announcementId: string; userId: string },
): Promise<void> {
  await sql.execute({
    text: `
      update erasure set taken_back_announcement = $3, taken_back_user = $4 where app_id = $1 and user_id = $2`,
    values: [appId, userId, last.announcementId, last.userId],
  });
}

/** The users who were erased after the given incarnations. */
export async function listErasedUserIds(
  sql: Sql,
  appId: string,
  users: readonly { userId: string; incarnation: number }[],
): Promise<Set<string>> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_erased',
    text: `
      select recipient.user_id from unnest($2::text[], $3::float8[]) as recipient (user_id, incarnation)
      join ${lookUp('erased_user', 'e', 'e.app_id = $1 and e.user_id = recipient.user_id')}
        on e.version > recipient.incarnation`,
    values: [appId, users.map(({ userId }) => userId), users.map(({ incarnation }) => incarnation)],
  });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Deletes at most `limit` announcements that incarnations of a user before `version` received; returns how many. */
export function deleteReceivedOfUser(
  sql: Sql,
  { appId, userId, version }: NewErasure,
  limit: number,
): Promise<number> {
  return sql.execute({
    text: `
      delete from received where app_id = $1 and user_id = $2 and position in (
        select position from received
        where app_id = $1 and user_id = $2 and coalesce(incarnation, 0) < $3 limit $4)`,
    values: [appId, userId, version, limit],
  });
}

/**
 * Recounts a user's announcements after an erasure. Only those received since are left, so they are few. Deletes the row of a
 * user who has none.
 */
export async function recountInbox(sql: Sql, { appId, userId }: Recipient): Promise<void> {
  const values = [appId, userId];
  // A fan-out locks this row before it inserts an announcement, so the count includes every inserted announcement.
  await sql.execute({
    text: 'select from inbox where app_id = $1 and user_id = $2 for update',
    values,
  });
  await sql.execute({
    text: `
      update inbox set
        listed = (select count(*) from received r where r.app_id = $1 and r.user_id = $2 and r.deleted_at is null),
        unread = (select count(*) from received r
          where r.app_id = $1 and r.user_id = $2 and r.deleted_at is null and r.read_at is null)
      where app_id = $1 and user_id = $2`,
    values,
  });
  await sql.execute({
    text: `
      delete from inbox where app_id = $1 and user_id = $2
        and not exists (select from received r where r.app_id = $1 and r.user_id = $2)`,
    values,
  });
}

/** The first announcement in the order of ids, from `id` on, by an incarnation of the sender before `version`. */
export function findAnnouncementFrom(sql: Sql, sender: NewErasure, id: string): Promise<string | undefined> {
  return findAnnouncement(sql, sender, { condition: 'id >= $3', id });
}

/** Finds the next announcement after `id`. */
export function findAnnouncementAfter(sql: Sql, sender: NewErasure, id: string): Promise<string | undefined> {
  return findAnnouncement(sql, sender, { condition: 'id > $3', id });
}

async function findAnnouncement(
  sql: Sql,
  { appId, userId, version }: NewErasure,
  { condition, id }: { condition: string; id: string },
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>({
    text: `
      select id from announcement where app_id = $1 and sender_id = $2 and ${condition}
        and coalesce(sender_incarnation, 0) < $4
      order by app_id, sender_id, id limit 1`,
    values: [appId, userId, id, version],
  });
  return row?.id;
}

export type RecipientPage = {
  appId: string;
  announcementId: string;
  afterUserId: string;
  now: number;
  limit: number;
};

/**
 * Deletes an announcement for its next recipients, in the order of user ids. `was_listed` is false for a recipient who had
 * deleted it before.
 */
export function deleteFromRecipients(
  sql: Sql,
  page: RecipientPage,
): Promise<{ user_id: string; was_listed: boolean }[]> {
  return sql.query({
    text: `
      with chosen as (
        select user_id, position, deleted_at, read_at from received
        where app_id = $1 and announcement_id = $2 and user_id > $3
        order by user_id limit $5 for no key update
      ), marked as (
        update received r
        set deleted_at = to_timestamp($4::float8 / 1000), changed_at = to_timestamp($4::float8 / 1000)
        from chosen
        where r.app_id = $1 and r.user_id = chosen.user_id and r.position = chosen.position
          and chosen.deleted_at is null
      ), counted as (
        update inbox i
        set listed = i.listed - 1, unread = i.unread - case when chosen.read_at is null then 1 else 0 end
        from chosen where i.app_id = $1 and i.user_id = chosen.user_id and chosen.deleted_at is null
      )
      select user_id, deleted_at is null as was_listed from chosen order by user_id`,
    values: [page.appId, page.announcementId, page.afterUserId, page.now, page.limit],
  });
}
