import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { FollowPair } from './follow.ts';

// A user follows the users with whom they ever shared a conversation, and those whom they followed explicitly. An
// unfollow holds until one of the two joins a conversation that they share.

/** The periods of $2 in each conversation, in order; one that has not ended ends after all changes. */
const OWN_PERIODS = `
  select conversation_id, array_agg(joined_seq order by joined_seq) as joined_seqs,
    array_agg(joined_at order by joined_seq) as joined_ats,
    array_agg(coalesce(left_seq, 9223372036854775807) order by joined_seq) as left_seqs
  from membership where app_id = $1 and user_id = $2 and joined_at is not null`;

/**
 * Index, for a period of another user, of the last period in `mine` that began before it ended: if that one does not overlap, no earlier one does. It is found by bisection, so that the periods of two users are not compared one by one.
 */
const LAST_BEFORE_END = `width_bucket(coalesce(other.left_seq, 9223372036854775807) - 1, mine.joined_seqs)`;

const WHEN_BOTH_WERE_IN = `case when other.joined_seq > mine.joined_seqs[mine_at.place] then other.joined_at
    else mine.joined_ats[mine_at.place] end`;

const PERIODS_MEET = `mine_at.place > 0 and mine.left_seqs[mine_at.place] > other.joined_seq`;

/**
 * Users with whom $2 ever shared a conversation, and when they last began to. `which` narrows the users. The times are computed before they
 * are grouped, so that no sort carries the periods of $2.
 */
function sharedConversations(which = ''): string {
  return `
    select user_id, max(at) as at from (
      select other.user_id, ${WHEN_BOTH_WERE_IN} as at
      from (${OWN_PERIODS} group by conversation_id) as mine
      cross join lateral (
        select * from membership other
        where other.app_id = $1 and other.conversation_id = mine.conversation_id and other.user_id <> $2
          and other.joined_at is not null ${which} offset 0) as other
      cross join lateral (select ${LAST_BEFORE_END} as place) as mine_at
      where ${PERIODS_MEET} offset 0) as met
    group by user_id`;
}

const IS_FOLLOWED = `(coalesce(said.followed, true) or shared.at > said.decided_at)`;

export type StampedList = { stamp: string; user_ids: string[] };

// The stamps of the user and of the application: a list is current as long as they are the same.
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
        from (${sharedConversations()}) as shared
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
      left join (${sharedConversations('and other.user_id = $3')}) as shared on true
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
      from (${sharedConversations('and other.user_id > $3')}) as shared
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

/** The last period of a page of a conversation's members; the next page begins after it. */
export type MemberCursor = { conversationId: string; userId: string; joinedSeq: number };

export type MetRow = MemberCursor & { isFollower: boolean };

/** The conversations in which a user ever was, after one of them. */
export async function listOwnConversations(
  sql: Sql,
  { appId, userId, after, limit }: { appId: string; userId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ conversation_id: string }>({
    name: 'list_own_conversations',
    text: `
      select distinct conversation_id from membership
      where app_id = $1 and user_id = $2 and conversation_id > $3 and joined_at is not null
      order by conversation_id limit $4`,
    values: [appId, userId, after, limit],
  });
  return rows.map((row) => row.conversation_id);
}

/**
 * Periods in conversations of a user, at most `limit` of each conversation after its cursor, and whether these make their
 * user a follower. Unlike a list of followers, it reads the conversations of the page only.
 */
export function listMet(
  sql: Sql,
  page: { appId: string; userId: string; cursors: readonly MemberCursor[]; limit: number },
): Promise<MetRow[]> {
  return sql.query<MetRow>({
    name: 'list_met',
    text: `
      select mine.conversation_id as "conversationId", other.user_id as "userId", other.joined_seq as "joinedSeq",
        other.user_id <> $2 and ${PERIODS_MEET}
          and (coalesce(said.followed, true) or ${WHEN_BOTH_WERE_IN} > said.decided_at) as "isFollower"
      from unnest($3::uuid[], $4::text[], $5::int8[]) as cursor (conversation_id, user_id, joined_seq)
      cross join lateral (
        ${OWN_PERIODS} and conversation_id = cursor.conversation_id group by conversation_id offset 0) as mine
      cross join lateral (
        select * from membership other
        where other.app_id = $1 and other.conversation_id = cursor.conversation_id and other.joined_at is not null
          and (other.user_id, other.joined_seq) > (cursor.user_id, cursor.joined_seq)
        order by other.user_id, other.joined_seq limit $6) as other
      cross join lateral (select ${LAST_BEFORE_END} as place) as mine_at
      left join ${lookUp('follow', 'said', 'said.app_id = $1 and said.owner_user_id = other.user_id and said.target_user_id = $2')} on true
      order by mine.conversation_id, other.user_id, other.joined_seq`,
    values: [
      page.appId,
      page.userId,
      page.cursors.map(({ conversationId }) => conversationId),
      page.cursors.map(({ userId }) => userId),
      page.cursors.map(({ joinedSeq }) => joinedSeq),
      page.limit,
    ],
  });
}

/** Users who asked to follow a user, by user id, after one of them. */
export async function listDeclaredFollowers(
  sql: Sql,
  page: { appId: string; userId: string; afterUserId: string; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_declared_followers',
    text: `
      select owner_user_id as user_id from follow
      where app_id = $1 and target_user_id = $2 and owner_user_id > $3 and followed
      order by owner_user_id limit $4`,
    values: [page.appId, page.userId, page.afterUserId, page.limit],
  });
  return rows.map((row) => row.user_id);
}
