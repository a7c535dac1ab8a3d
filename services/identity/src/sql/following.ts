import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { FollowPair } from './follow.ts';

// A user follows the users with whom they ever shared a conversation, and those whom they followed explicitly. An
// unfollow holds until one of the two joins a conversation that they share.

/** Users with whom $2 ever shared a conversation, and when they last began to. */
const SHARED_CONVERSATIONS = `
  select other.user_id, max(case when other.joined_seq > mine.joined_seq then other.joined_at else mine.joined_at end) as at
  from membership mine
  join membership other on other.app_id = mine.app_id and other.conversation_id = mine.conversation_id
    and other.user_id <> mine.user_id and other.joined_at is not null
    and (other.left_seq is null or other.left_seq > mine.joined_seq)
    and (mine.left_seq is null or mine.left_seq > other.joined_seq)
  where mine.app_id = $1 and mine.user_id = $2 and mine.joined_at is not null`;

const IS_FOLLOWED = `(coalesce(said.followed, true) or shared.at > said.decided_at)`;

export type StampedList = { stamp: string; user_ids: string[] };

// The stamps of the user and of the application, while which a list is current.
const SELECT_STAMP = `
  select coalesce(string_agg(user_id || ':' || stamp, ' ' order by user_id), '') as stamp
  from following_stamp where app_id = $1 and user_id in ('', $2)`;

/** The users that a user follows, by user id, and the list's stamp. */
export async function listFollowing(sql: Sql, appId: string, userId: string): Promise<StampedList> {
  const [row] = await sql.query<StampedList>({
    name: 'list_following',
    text: `
      select (${SELECT_STAMP}) as stamp, array(
        select i.user_id
        from (${SHARED_CONVERSATIONS} group by other.user_id) as shared
        full join (
          select target_user_id as user_id, followed, decided_at from follow
          where app_id = $1 and owner_user_id = $2
        ) as said on said.user_id = shared.user_id
        join ${lookUp('identity', 'i', 'i.app_id = $1 and i.user_id = coalesce(shared.user_id, said.user_id)')} on not i.deleted
        where ${IS_FOLLOWED}
        order by i.user_id) as user_ids`,
    values: [appId, userId],
  });
  return row ?? { stamp: '', user_ids: [] };
}

export async function findFollowingStamp(sql: Sql, appId: string, userId: string): Promise<string> {
  const [row] = await sql.query<{ stamp: string }>({
    name: 'find_following_stamp',
    text: SELECT_STAMP,
    values: [appId, userId],
  });
  return row?.stamp ?? '';
}

/** Invalidates the cached following lists of users; an empty user id invalidates those of the whole application. */
export async function advanceFollowingStamps(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<void> {
  await sql.execute({
    name: 'move_following_stamps',
    text: `
      insert into following_stamp (app_id, user_id)
      select $1::uuid, user_id from unnest($2::text[]) as moved (user_id) order by user_id
      on conflict (app_id, user_id) do update set stamp = following_stamp.stamp + 1`,
    values: [appId, userIds],
  });
}

export async function isFollowing(sql: Sql, { appId, ownerId, targetId }: FollowPair): Promise<boolean> {
  const rows = await sql.query({
    name: 'is_following',
    text: `
      select from (select) as one
      left join follow said on said.app_id = $1 and said.owner_user_id = $2 and said.target_user_id = $3
      left join (${SHARED_CONVERSATIONS} and other.user_id = $3 group by other.user_id) as shared on true
      where (said.owner_user_id is not null or shared.user_id is not null) and ${IS_FOLLOWED}
        and exists (select from ${lookUp('identity', 'i', 'i.app_id = $1 and i.user_id = $3')} where not i.deleted)`,
    values: [appId, ownerId, targetId],
  });
  return rows.length > 0;
}

/** The followers of a user, by user id, after one of them. */
export async function listFollowers(
  sql: Sql,
  page: { appId: string; userId: string; afterUserId: string; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_followers',
    text: `
      select coalesce(shared.user_id, said.user_id) as user_id
      from (${SHARED_CONVERSATIONS} and other.user_id > $3 group by other.user_id) as shared
      full join (
        select owner_user_id as user_id, followed, decided_at from follow
        where app_id = $1 and target_user_id = $2 and owner_user_id > $3
      ) as said on said.user_id = shared.user_id
      where ${IS_FOLLOWED}
      order by 1 limit $4`,
    values: [page.appId, page.userId, page.afterUserId, page.limit],
  });
  return rows.map((row) => row.user_id);
}
