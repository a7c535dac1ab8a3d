import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { ANNOUNCEMENT_COLUMNS, type AnnouncementRow } from './announcement.ts';

export type Recipient = { appId: string; userId: string };

/** An announcement with one recipient's position, receipts and deletion. */
export type ReceivedRow = AnnouncementRow & {
  position: number;
  received_at: number;
  delivered_at: number | null;
  read_at: number | null;
  deleted_at: number | null;
};

/**
 * Whether what a user received was for the person who has the user id now, and not for an erased one. Every statement that reads the
 * list of a user ($1, `user`) asks this.
 */
function isHeldBy(user: string): string {
  return `coalesce(r.incarnation, 0) >= coalesce((
    select e.version from erased_user e where e.app_id = $1 and e.user_id = ${user}), 0)`;
}

const COLUMNS = `${ANNOUNCEMENT_COLUMNS}, r.position, r.received_at, r.delivered_at, r.read_at, r.deleted_at`;
const JOINED_TABLES = `received r
  join ${lookUp('announcement', 'a', 'a.app_id = r.app_id and a.id = r.announcement_id')} on true`;

/** An announcement of a user; undefined also when the user has deleted it. */
export async function findReceived(
  sql: Sql,
  { appId, userId }: Recipient,
  id: string,
): Promise<ReceivedRow | undefined> {
  const [row] = await sql.query<ReceivedRow>({
    name: 'find_received',
    text: `
      select ${COLUMNS} from ${JOINED_TABLES}
      where r.app_id = $1 and r.announcement_id = $2 and r.user_id = $3 and r.deleted_at is null
        and ${isHeldBy('$3')}`,
    values: [appId, id, userId],
  });
  return row;
}

/** The position of an announcement in a user's list. One that the user has deleted keeps its position. */
export async function findPosition(
  sql: Sql,
  { appId, userId }: Recipient,
  id: string,
): Promise<number | undefined> {
  const [row] = await sql.query<{ position: number }>({
    name: 'find_position',
    text: `
      select r.position from received r
      where r.app_id = $1 and r.announcement_id = $2 and r.user_id = $3 and ${isHeldBy('$3')}`,
    values: [appId, id, userId],
  });
  return row?.position;
}

/** `found`: how many rows there are up to the limit, whether they fit into the budget or not. */
export type FittingRow = ReceivedRow & { found: number };

/** Upper bound of an encoded announcement's size without its body and its recipients' ids. Bytes. */
const ANNOUNCEMENT_OVERHEAD_BYTES = 512;

/** The first rows that fit into a budget of bytes ($5), at least one. Sizes are summed before any body is read. */
function fitting(where: string, order: 'asc' | 'desc'): string {
  return `
    select * from (
      select page.*, count(*) over () as found, row_number() over (order by position ${order}) as place,
        sum(octet_length(body) + ${ANNOUNCEMENT_OVERHEAD_BYTES} + coalesce(octet_length(named_recipients::text), 0))
          over (order by position ${order}) as upto
      from (
        select ${COLUMNS} from ${JOINED_TABLES}
        where r.app_id = $1 and r.user_id = $2 and ${isHeldBy('$2')} and ${where}
        order by r.position ${order} limit $4
      ) page
    ) sized
    where place = 1 or upto <= $5::int8
    order by position ${order}`;
}

/** Announcements before a position, newest first. */
export function listReceivedBefore(
  sql: Sql,
  page: Recipient & { before: number; limit: number; budget: number },
): Promise<FittingRow[]> {
  return sql.query<FittingRow>({
    name: 'list_received_before',
    text: fitting('r.position < $3 and r.deleted_at is null', 'desc'),
    values: [page.appId, page.userId, page.before, page.limit, page.budget],
  });
}

/** Announcements that changed since a time, deleted ones too, in the order of positions, after a position. */
export function listChangedSince(
  sql: Sql,
  page: Recipient & { from: number; after: number; limit: number; budget: number },
): Promise<FittingRow[]> {
  return sql.query<FittingRow>({
    name: 'list_changed_since',
    text: fitting('r.changed_at >= to_timestamp($6::float8 / 1000) and r.position > $3', 'asc'),
    values: [page.appId, page.userId, page.after, page.limit, page.budget, page.from],
  });
}

/** How many announcements a user has that are not deleted. */
export async function countListed(sql: Sql, { appId, userId }: Recipient): Promise<number> {
  const [row] = await sql.query<{ listed: number }>({
    name: 'count_listed',
    // Until an erasure has counted anew, the row counts what an erased person had.
    text: `
      select case when exists (select from erasure e where e.app_id = $1 and e.user_id = $2)
        then (
          select count(*) from received r
          where r.app_id = $1 and r.user_id = $2 and r.deleted_at is null and ${isHeldBy('$2')})
        else i.listed end as listed
      from inbox i where i.app_id = $1 and i.user_id = $2`,
    values: [appId, userId],
  });
  return row?.listed ?? 0;
}

/** Locks an announcement of a user until the end of the transaction; undefined also when the user has deleted it. */
export async function lockReceived(
  sql: Sql,
  { appId, userId }: Recipient,
  id: string,
): Promise<ReceivedRow | undefined> {
  const [row] = await sql.query<ReceivedRow>({
    name: 'lock_received',
    text: `
      select ${COLUMNS} from ${JOINED_TABLES}
      where r.app_id = $1 and r.announcement_id = $2 and r.user_id = $3 and r.deleted_at is null
        and ${isHeldBy('$3')}
      for no key update of r`,
    values: [appId, id, userId],
  });
  return row;
}

/** Sets the delivery, read or deletion time of a locked row. Delivery and read times that are set already stay. */
export async function markReceived(
  sql: Sql,
  { appId, userId }: Recipient,
  mark: { position: number; now: number; delivered?: boolean; read?: boolean; deleted?: boolean },
): Promise<void> {
  await sql.execute({
    name: 'mark_received',
    text: `
      update received set
        delivered_at = case when $5 then coalesce(delivered_at, to_timestamp($4::float8 / 1000)) else delivered_at end,
        read_at = case when $6 then coalesce(read_at, to_timestamp($4::float8 / 1000)) else read_at end,
        deleted_at = case when $7 then to_timestamp($4::float8 / 1000) else deleted_at end,
        changed_at = to_timestamp($4::float8 / 1000)
      where app_id = $1 and user_id = $2 and position = $3`,
    values: [
      appId,
      userId,
      mark.position,
      mark.now,
      mark.delivered ?? false,
      mark.read ?? false,
      mark.deleted ?? false,
    ],
  });
}

/** Adds to the counts of a user's announcements; negative numbers subtract. */
export async function addToInboxCounts(
  sql: Sql,
  { appId, userId }: Recipient,
  { listed, unread }: { listed: number; unread: number },
): Promise<void> {
  await sql.execute({
    name: 'add_to_inbox',
    text: `update inbox set listed = listed + $3, unread = unread + $4 where app_id = $1 and user_id = $2`,
    values: [appId, userId, listed, unread],
  });
}
