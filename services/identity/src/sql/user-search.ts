import type { Sql } from '@parley/kit/postgres';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import type { UserList } from './user-list.ts';

/** A search by the beginning of a word. `viewer`: users who block them are left out. */
export type UserSearch = { appId: string; viewer: string; beginning: string; limit: number };

/** Larger than every text that begins with the text before it. */
const END = '\u{10ffff}';

// Each look-up is by a whole key: `offset 0` keeps it from becoming a join of the whole application.
const SHOWN = `not w.suspended
        and not exists (
          select from block b
          where b.app_id = $1 and b.owner_user_id = w.user_id and b.blocked_user_id = $2 and b.active offset 0)`;
const FIRST_WORD = `not exists (
          select from identity_word earlier
          where earlier.app_id = $1 and earlier.user_id = w.user_id and earlier.word >= $3 and earlier.word < w.word offset 0)`;
const OPEN = 'joined_at is not null and left_seq is null';
const NOT_DELETED = `not exists (
          select from deleted_conversation d
          where d.app_id = $1 and d.conversation_id = mine.conversation_id offset 0)`;

/** User ids in the order of the words that begin with the text, then of the ids. Reads as many entries of one index as it answers. */
export async function findUserIds(
  sql: Sql,
  { appId, viewer, beginning, limit }: UserSearch,
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'find_user_ids',
    text: `
      select w.user_id from identity_word w
      where w.app_id = $1 and w.word >= $3 and w.word < $4 and ${SHOWN} and ${FIRST_WORD}
      order by w.word, w.user_id limit $5`,
    values: [appId, viewer, beginning, beginning + END, limit],
  });
  return rows.map((row) => row.user_id);
}

/** `isAll`: no other user would have been found without the limit of what is read. */
export type PartlyFound = { userIds: string[]; isAll: boolean };

type Found = { user_ids: string[]; read: number };

/**
 * Finds users with whom the viewer shares a conversation now, in the same order, from the viewer's side: it reads at most `reads`
 * memberships in the viewer's conversations; undefined: all of them.
 */
export async function findSharedUserIds(
  sql: Sql,
  { appId, viewer, beginning, limit }: UserSearch,
  reads: number | undefined,
): Promise<PartlyFound> {
  const [row] = await sql.query<Found>({
    name: 'find_shared_user_ids',
    text: `
      with met as materialized (
        select other.user_id from (
          select distinct conversation_id from membership mine
          where app_id = $1 and user_id = $2 and ${OPEN} and ${NOT_DELETED}) as mine
        cross join lateral (
          select user_id from membership
          where app_id = $1 and conversation_id = mine.conversation_id and ${OPEN} offset 0) as other
        limit $6::int8
      )
      select array(
          select w.user_id
          from (select distinct user_id from met where user_id <> $2) as other
          cross join lateral (
            select * from identity_word w
            where w.app_id = $1 and w.user_id = other.user_id and w.word >= $3 and w.word < $4
            order by w.word limit 1) as w
          where ${SHOWN}
          order by w.word, w.user_id limit $5) as user_ids,
        (select count(*) from met) as read`,
    values: [appId, viewer, beginning, beginning + END, limit, reads ?? null],
  });
  const { user_ids: userIds, read } = row ?? { user_ids: [], read: 0 };
  // Memberships are read in no order of names, so a full page may lack names that come before those of the page.
  return { userIds, isAll: reads === undefined || read < reads };
}

/** Finds such users from the side of the words, of which it reads at most `reads`: few users have a long text in their names. */
export async function findNamedSharedUserIds(
  sql: Sql,
  { appId, viewer, beginning, limit }: UserSearch,
  reads: number,
): Promise<PartlyFound> {
  const [row] = await sql.query<Found>({
    name: 'find_named_shared_user_ids',
    text: `
      with named as materialized (
        select w.* from identity_word w
        where w.app_id = $1 and w.word >= $3 and w.word < $4 order by w.word, w.user_id limit $6::int8
      )
      select array(
          select w.user_id from named w
          where w.user_id <> $2 and ${SHOWN} and ${FIRST_WORD} and exists (
            select from membership other
            where other.app_id = $1 and other.user_id = w.user_id and other.joined_at is not null
              and other.left_seq is null and exists (
                select from membership mine
                where mine.app_id = $1 and mine.user_id = $2 and mine.conversation_id = other.conversation_id
                  and mine.joined_at is not null and mine.left_seq is null and ${NOT_DELETED} offset 0) offset 0)
          order by w.word, w.user_id limit $5) as user_ids,
        (select count(*) from named) as read`,
    values: [appId, viewer, beginning, beginning + END, limit, reads],
  });
  return partlyFound(row, { limit, reads });
}

function partlyFound(
  row: Found | undefined,
  { limit, reads }: { limit: number; reads: number },
): PartlyFound {
  const { user_ids: userIds, read } = row ?? { user_ids: [], read: 0 };
  return { userIds, isAll: userIds.length === limit || read < reads };
}

type NamedList = UserList & { beginning: string };

/** Entries of the list that are read in its order before all that begin with the text are. */
const WALKED = 5_000;

/**
 * A page of the list of users by user id, of those who have a word that begins with the text. A text that many have is found on the way through the
 * list; of another one all that have it are sorted.
 */
export async function listNamedUserIds(sql: Sql, list: NamedList): Promise<string[]> {
  const { appId, beginning, afterUserId, limit } = list;
  const kind = kindOf(list);
  const values = [appId, afterUserId, beginning, beginning + END, limit];
  const [walk] = await sql.query<Found>({
    name: `walk_named_user_ids_${kind.name}`,
    text: `
      with walked as materialized (
        select user_id, word, type, suspended from identity_word
        where app_id = $1 and user_id > $2 order by user_id, word limit ${WALKED}
      )
      select array(
          select distinct user_id from walked w where word >= $3 and word < $4 and ${kind.condition}
          order by user_id limit $5) as user_ids,
        (select count(*) from walked) as read`,
    values,
  });
  const { userIds, isAll } = partlyFound(walk, { limit, reads: WALKED });
  if (isAll) return userIds;
  const rows = await sql.query<{ user_id: string }>({
    name: `list_named_user_ids_${kind.name}`,
    text: `
      select user_id from (
        select user_id from identity_word w
        where app_id = $1 and word >= $3 and word < $4 and user_id > $2 and ${kind.condition} offset 0) as named
      group by user_id order by user_id limit $5`,
    values,
  });
  return rows.map((row) => row.user_id);
}

function kindOf({ type, suspended }: UserList): { name: string; condition: string } {
  const ofType = type === IdentityType.UNSPECIFIED ? 'true' : `w.type = ${type}`;
  const ofState = suspended === undefined ? 'true' : suspended ? 'w.suspended' : 'not w.suspended';
  return { name: `${type}_${suspended}`, condition: `${ofType} and ${ofState}` };
}
