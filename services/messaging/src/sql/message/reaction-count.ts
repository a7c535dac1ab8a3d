import { limits } from '@parley/contract/limits';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeldBy } from '../conversation/participant.ts';
import { column, type Statement } from '../statement.ts';
import type { MessagePosition } from './message-at.ts';

/** How many users react to a message with a key, and who did last. */
export type ReactionCountRow = {
  app_id: string;
  conversation_id: string;
  position: number;
  key: string;
  /** The id of the reaction by which the key came; the order of keys. */
  first_id: string;
  count: number;
  /** User ids, newest first. */
  recent: string[];
  /** The ids of their reactions. */
  recent_ids: string[];
};

/** The counts of messages of locked conversations. */
export function listReactionCounts(
  sql: Sql,
  places: readonly MessagePosition[],
): Promise<ReactionCountRow[]> {
  return sql.query<ReactionCountRow>({
    name: 'list_reaction_counts',
    text: `
      select c.app_id, c.conversation_id, c.position, c.key, c.first_id, c.count, c.recent, c.recent_ids
      from (select distinct * from unnest($1::uuid[], $2::uuid[], $3::int8[]))
        as wanted (app_id, conversation_id, position)
      join reaction_count c on c.app_id = wanted.app_id and c.conversation_id = wanted.conversation_id
        and c.position = wanted.position`,
    values: [column(places, 'appId'), column(places, 'conversationId'), column(places, 'position')],
  });
}

/** Writes the counts of keys with which somebody reacts. */
export function upsertReactionCounts(rows: readonly ReactionCountRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'upsert_reaction_counts',
    text: `
      insert into reaction_count (app_id, conversation_id, position, key, first_id, count, recent, recent_ids)
      select row.app_id, row.conversation_id, row.position, row.key, row.first_id, row.count,
        array(select json_array_elements_text(row.recent)),
        array(select json_array_elements_text(row.recent_ids)::uuid)
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[], $5::uuid[], $6::int8[], $7::json[], $8::json[])
        as row (app_id, conversation_id, position, key, first_id, count, recent, recent_ids)
      on conflict (app_id, conversation_id, position, key) do update
      set count = excluded.count, recent = excluded.recent, recent_ids = excluded.recent_ids`,
    values: [
      ...placeColumns(rows),
      column(rows, 'first_id'),
      column(rows, 'count'),
      rows.map(({ recent }) => JSON.stringify(recent)),
      rows.map(({ recent_ids }) => JSON.stringify(recent_ids)),
    ],
  };
}

/** Deletes the counts of keys with which nobody reacts any more. */
export function deleteReactionCounts(rows: readonly ReactionCountRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'delete_reaction_counts',
    text: `
      delete from reaction_count c
      using unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[]) as row (app_id, conversation_id, position, key)
      where c.app_id = row.app_id and c.conversation_id = row.conversation_id and c.position = row.position
        and c.key = row.key`,
    values: placeColumns(rows),
  };
}

/** Deletes the counts of all keys of messages that are gone. */
export function deleteReactionCountsOf(
  places: readonly { app_id: string; conversation_id: string; position: number }[],
): Statement | undefined {
  if (places.length === 0) return undefined;
  return {
    name: 'delete_reaction_counts_of_messages',
    text: `
      delete from reaction_count c
      using (select distinct * from unnest($1::uuid[], $2::uuid[], $3::int8[]))
        as place (app_id, conversation_id, position)
      where c.app_id = place.app_id and c.conversation_id = place.conversation_id and c.position = place.position`,
    values: [column(places, 'app_id'), column(places, 'conversation_id'), column(places, 'position')],
  };
}

function placeColumns(
  rows: readonly Pick<ReactionCountRow, 'app_id' | 'conversation_id' | 'position' | 'key'>[],
): unknown[] {
  return [
    column(rows, 'app_id'),
    column(rows, 'conversation_id'),
    column(rows, 'position'),
    column(rows, 'key'),
  ];
}

export type KeyOfMessage = { app_id: string; conversation_id: string; position: number; key: string };

/** The newest stored reactions with some keys, newest first. */
export function listNewestReactions(
  sql: Sql,
  keys: readonly KeyOfMessage[],
  limit: number,
): Promise<(KeyOfMessage & { user_id: string; id: string })[]> {
  return sql.query({
    name: 'list_newest_reactions',
    text: `
      select wanted.*, newest.user_id, newest.id
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[]) as wanted (app_id, conversation_id, position, key)
      cross join lateral (
        select r.user_id, r.id from reaction r
        where r.app_id = wanted.app_id and r.conversation_id = wanted.conversation_id
          and r.position = wanted.position and r.key = wanted.key
        order by r.id desc limit $5
      ) as newest
      order by newest.id desc`,
    values: [...placeColumns(keys), limit],
  });
}

/** The reactions to a message with one key as a reader sees them. `own`: the reader is among those who reacted. */
export type SeenReactionRow = {
  conversation_id: string;
  position: number;
  key: string;
  count: number;
  recent: string[];
  own: boolean;
};

/** A message whose reactions are read, and the last change whose reactions the reader sees, that by which they left; null: all. */
export type SeenPlace = Omit<MessagePosition, 'appId'> & { untilSeq: number | null };

const WITHOUT_BLOCKED = `
          where not exists (
            select from block_copy b
            where b.app_id = $1 and b.blocked_user_id = named.user_id and b.owner_user_id = $2)
          order by named.place`;

/** The counts as they are, and the counts of reactions until a change, for readers who left. */
const COUNTS = `
        select c.conversation_id, c.position, c.key, c.count, c.recent, c.first_id
        from unnest($3::uuid[], $4::int8[]) as wanted (conversation_id, position)
        join reaction_count c on c.app_id = $1 and c.conversation_id = wanted.conversation_id
          and c.position = wanted.position`;
const COUNTS_UNTIL = `
        select r.conversation_id, r.position, r.key, count(*) as count,
          (array_agg(r.user_id order by r.id desc))[1:${limits.recentReactions}] as recent, (array_agg(r.id order by r.id))[1] as first_id
        from unnest($3::uuid[], $4::int8[], $5::int8[]) as wanted (conversation_id, position, until_seq)
        join reaction r on r.app_id = $1 and r.conversation_id = wanted.conversation_id
          and r.position = wanted.position and (wanted.until_seq is null or r.seq <= wanted.until_seq)
        group by r.conversation_id, r.position, r.key`;

/**
 * The reactions to messages, in the order in which their keys came; `recent` without users whom the reader blocks. An empty user id stands
 * for a server.
 */
export function listSeenReactions(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  places: readonly SeenPlace[],
): Promise<SeenReactionRow[]> {
  const isWhole = places.every(({ untilSeq }) => untilSeq === null);
  const values = [appId, userId, column(places, 'conversationId'), column(places, 'position')];
  return sql.query<SeenReactionRow>({
    name: isWhole ? 'list_seen_reactions' : 'list_seen_reactions_until',
    text: `
      select c.conversation_id, c.position, c.key, c.count,
        array(
          select named.user_id from unnest(c.recent) with ordinality as named (user_id, place)${WITHOUT_BLOCKED}) as recent,
        own.id is not null as own
      from (${isWhole ? COUNTS : COUNTS_UNTIL}) as c
      left join ${lookUp(
        'reaction',
        'own',
        `own.app_id = $1 and own.conversation_id = c.conversation_id and own.user_id = $2
        and own.position = c.position and own.key = c.key and ${isHeldBy('own', '$1', '$2')}`,
      )} on true
      order by c.first_id`,
    values: isWhole ? values : [...values, column(places, 'untilSeq')],
  });
}

/** A participant who blocks users among those whom reactions of a conversation name. */
export type NameBlockerRow = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  blocked_user_ids: string[];
};

/** Participants who block one of the named users, by conversation. */
export function listNameBlockers(
  sql: Sql,
  appId: string,
  names: readonly { conversationId: string; userId: string }[],
): Promise<NameBlockerRow[]> {
  return sql.query<NameBlockerRow>({
    name: 'list_name_blockers',
    text: `
      select p.app_id, p.conversation_id, p.user_id, array_agg(b.blocked_user_id) as blocked_user_ids
      from (select distinct * from unnest($2::uuid[], $3::text[])) as named (conversation_id, user_id)
      join block_copy b on b.app_id = $1 and b.blocked_user_id = named.user_id
      join participant p on p.app_id = $1 and p.conversation_id = named.conversation_id
        and p.user_id = b.owner_user_id and p.left_seq is null and ${isHeldBy('p', 'p.app_id', 'p.user_id')}
      group by p.app_id, p.conversation_id, p.user_id`,
    values: [appId, column(names, 'conversationId'), column(names, 'userId')],
  });
}

export type ReactionPage = {
  place: MessagePosition;
  /** Empty: a server reads. */
  userId: string;
  /** Null: of any key. */
  key: string | null;
  /** Reactions before this one; null: from the newest. */
  before: string | null;
  /** The last change whose reactions are listed, for a reader who has left; null: all. */
  untilSeq: number | null;
  limit: number;
};

export type ListedReactionRow = {
  id: string;
  key: string;
  user_id: string;
  created_at: number;
  display_name: string | null;
  avatar_url: string | null;
  incarnation: number | null;
};

/** Newest first, without users whom the reader blocks. It reads a page of each key, of which there are few. */
export function listReactionPage(sql: Sql, page: ReactionPage): Promise<ListedReactionRow[]> {
  const { appId, conversationId, position } = page.place;
  return sql.query<ListedReactionRow>({
    name: 'list_reaction_page',
    text: `
      select r.id, r.key, r.user_id, r.created_at, i.display_name, i.avatar_url, r.incarnation
      from reaction_count c
      cross join lateral (
        select r.* from reaction r
        where r.app_id = $1 and r.conversation_id = $2 and r.position = $3 and r.key = c.key
          and ($6::uuid is null or r.id < $6) and ($7::int8 is null or r.seq <= $7)
          and not exists (
            select from block_copy b
            where b.app_id = $1 and b.blocked_user_id = r.user_id and b.owner_user_id = $4)
        order by r.id desc limit $8
      ) as r
      left join ${lookUp('identity_copy', 'i', 'i.app_id = r.app_id and i.user_id = r.user_id')} on ${isHeldBy('r', 'r.app_id', 'r.user_id')}
      where c.app_id = $1 and c.conversation_id = $2 and c.position = $3 and ($5::text is null or c.key = $5)
      order by r.id desc limit $8`,
    values: [appId, conversationId, position, page.userId, page.key, page.before, page.untilSeq, page.limit],
  });
}
