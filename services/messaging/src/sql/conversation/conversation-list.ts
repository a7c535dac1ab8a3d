import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { LIST_PLACE, LISTED_AT } from './list-place.ts';
import { KEPT_PLACE, UNKEPT_PLACE } from './page-end.ts';
import { isHeldBy } from './participant.ts';

/**
 * Whether conversation `c` is in the list of participant `p`: not hidden, or a message came after the hiding and before
 * the removal.
 */
export const IS_LISTED = '(p.unlisted_at is null or coalesce(p.left_head, c.head) > p.unlisted_at)';

export type ListPage = {
  /** Ids in the order of the list. */
  ids: string[];
  /** The number of conversations in the whole list. */
  total: number;
  /** False: the list never had `from_id`. */
  from_found: boolean;
};

export type PageQuery = { appId: string; fromId: string | null; pageSize: number };

/** SQL of a user's ($1, $2) conversations: `p` is the participant, `c` the conversation. */
const JOINED = `participant p
        join ${lookUp('conversation', 'c', 'c.app_id = p.app_id and c.id = p.conversation_id')} on true`;
const IS_OF_USER = `p.app_id = $1 and p.user_id = $2 and ${isHeldBy('p', '$1', '$2')}`;

/**
 * A user's list by creation: conversations that they take or took part in, without deleted and hidden ones. A page may begin behind one of
 * those all the same.
 */
export async function findUserPage(sql: Sql, query: PageQuery & { userId: string }): Promise<ListPage> {
  const [page] = await sql.query<ListPage>({
    name: 'find_user_page_by_created_at',
    text: `
      with listed as materialized (
        select c.id, c.created_at as at from ${JOINED}
        where ${IS_OF_USER} and c.deleted_at is null and ${IS_LISTED}
      ), start as (
        select c.created_at as at, c.id from ${JOINED} where ${IS_OF_USER} and p.conversation_id = $3::uuid
      )
      select
        array(
          select id from listed
          where $3::uuid is null or (at, id) < (select at, id from start)
          order by at desc, id desc limit $4) as ids,
        (select count(*) from listed) as total,
        $3::uuid is null or exists (select from start) as from_found`,
    values: [query.appId, query.userId, query.fromId, query.pageSize],
  });
  return page!;
}

export type PageByLastMessage = ListPage & {
  /** The conversations' places. Microseconds. */
  places: number[];
  has_more: boolean;
  /** Whether `page_end` needs no write: the places it has are up to date, or not needed. */
  is_kept: boolean;
};

export type QueryByLastMessage = PageQuery & {
  userId: string;
  /** Place of `fromId` when the page before was read, in microseconds; null: its place when it last ended a page of the user. */
  place: number | null;
  /** Milliseconds. */
  now: number;
};

/** Finds a page of a user's conversations by last message. docs/decisions/conversations.md#pages-by-last-message */
export async function findUserPageByLastMessage(
  sql: Sql,
  query: QueryByLastMessage,
): Promise<PageByLastMessage> {
  const at = `coalesce(p.left_message_at, ${LISTED_AT})`;
  const [page] = await sql.query<PageByLastMessage>({
    name: 'find_user_page_by_last_message',
    text: `
      with listed as materialized (
        select c.id, ${at} as at from ${JOINED} left join ${LIST_PLACE} on true
        where ${IS_OF_USER} and c.deleted_at is null and ${IS_LISTED}
      ), start as (
        select coalesce(to_timestamp($5::float8 / 1000000), (${KEPT_PLACE}), ${at}) as at, c.id
        from ${JOINED} left join ${LIST_PLACE} on true
        where ${IS_OF_USER} and p.conversation_id = $3::uuid
      ), page as materialized (
        select id, at, row_number() over (order by at, id) = 1 as is_last
        from (
          select id, at from listed
          where $3::uuid is null or (at, id) < (select at, id from start)
          order by at desc, id desc limit $4
        ) page
      )
      select
        array(select id from page order by at desc, id desc) as ids,
        array(select (extract(epoch from at) * 1000000)::int8 from page order by at desc, id desc) as places,
        (select count(*) from listed) as total,
        $3::uuid is null or exists (select from start) as from_found,
        exists (select from listed where (at, id) < (select at, id from page where is_last)) as has_more,
        $5::float8 is not null or not exists (${UNKEPT_PLACE}) as is_kept`,
    values: [query.appId, query.userId, query.fromId, query.pageSize, query.place, query.now],
  });
  return page!;
}

/** All conversations of an app except deleted ones, newest first. A page may begin behind a deleted one. */
export async function findAppPage(sql: Sql, query: PageQuery): Promise<ListPage> {
  const [page] = await sql.query<ListPage>({
    name: query.fromId ? 'find_app_page_from' : 'find_app_page',
    text: `
      with start as (select created_at, id from conversation where app_id = $1 and id = $2::uuid)
      select
        array(
          select id from conversation
          where app_id = $1 and deleted_at is null
            ${query.fromId ? 'and (created_at, id) < (select created_at, id from start)' : ''}
          order by created_at desc, id desc limit $3) as ids,
        (select coalesce(sum(delta), 0) from conversation_count where app_id = $1) as total,
        $2::uuid is null or exists (select from start) as from_found`,
    values: [query.appId, query.fromId, query.pageSize],
  });
  return page!;
}

/** Conversations among the given ones that the user had hidden, and that a message brought back into their list. */
export async function listReturned(
  sql: Sql,
  query: { appId: string; userId: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    name: 'list_returned',
    text: `
      select c.id
      from participant p
      join ${lookUp('conversation', 'c', 'c.app_id = p.app_id and c.id = p.conversation_id')} on true
      where p.app_id = $1 and p.user_id = $2 and p.conversation_id = any($3::uuid[]) and c.deleted_at is null
        and p.unlisted_at is not null and ${IS_LISTED} and ${isHeldBy('p', '$1', '$2')}`,
    values: [query.appId, query.userId, query.ids],
  });
  return rows.map(({ id }) => id);
}
