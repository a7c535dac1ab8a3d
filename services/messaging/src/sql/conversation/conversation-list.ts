import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { LIST_PLACE, LISTED_AT } from './list-place.ts';
import { isHeldBy } from './participant.ts';

/**
 * Whether conversation `c` is in the list of participant `p`: not hidden, or a message came after the hiding and before
 * the removal.
 */
export const IS_LISTED = '(p.unlisted_at is null or coalesce(p.left_head, c.head) > p.unlisted_at)';

export type ListPage = {
  /** In the order of the list. */
  ids: string[];
  /** The number of conversations in the whole list. */
  total: number;
  /** False: `from_id` is not in the list. */
  from_found: boolean;
};

export type PageQuery = { appId: string; fromId: string | null; pageSize: number };

/** A user's list: conversations that they take or took part in, without deleted and hidden ones. */
export async function findUserPage(
  sql: Sql,
  query: PageQuery & { userId: string; by: 'created_at' | 'last_message_at' },
): Promise<ListPage> {
  const [page] = await sql.query<ListPage>({
    name: `find_user_page_by_${query.by}`,
    text: `
      with listed as materialized (
        select c.id, ${query.by === 'created_at' ? 'c.created_at' : `coalesce(p.left_message_at, ${LISTED_AT})`} as at
        from participant p
        join ${lookUp('conversation', 'c', 'c.app_id = p.app_id and c.id = p.conversation_id')} on true
        ${query.by === 'created_at' ? '' : `left join ${LIST_PLACE} on true`}
        where p.app_id = $1 and p.user_id = $2 and c.deleted_at is null and ${IS_LISTED}
          and ${isHeldBy('p', '$1', '$2')}
      ), start as (select at, id from listed where id = $3::uuid)
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

/** All conversations of an app except deleted ones, newest first. */
export async function findAppPage(sql: Sql, query: PageQuery): Promise<ListPage> {
  const [page] = await sql.query<ListPage>({
    name: query.fromId ? 'find_app_page_from' : 'find_app_page',
    text: `
      with start as (
        select created_at, id from conversation where app_id = $1 and id = $2::uuid and deleted_at is null
      )
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
