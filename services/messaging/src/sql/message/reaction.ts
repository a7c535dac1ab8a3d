import type { Sql } from '@parley/kit/postgres';
import { isHeldBy } from '../conversation/participant.ts';
import { column, type Statement } from '../statement.ts';
import type { MessagePosition } from './message-at.ts';

/** One user's reaction to a message. */
export type ReactionRow = {
  app_id: string;
  conversation_id: string;
  position: number;
  user_id: string;
  key: string;
  id: string;
  created_at: number;
  /** The change by which it was given. */
  seq: number;
  /** The user's; null: 0. */
  incarnation: number | null;
};

/** The user whose reactions to a message are asked for. */
export type ReactionOwner = MessagePosition & { userId: string };

/**
 * The reactions that users gave to messages of locked conversations. `is_held`: it is of the person who has the user id now, and not of an
 * erased one.
 */
export function listOwnReactions(
  sql: Sql,
  owners: readonly ReactionOwner[],
): Promise<(ReactionRow & { is_held: boolean })[]> {
  return sql.query({
    name: 'list_own_reactions',
    text: `
      select r.app_id, r.conversation_id, r.position, r.user_id, r.key, r.id, r.created_at, r.seq, r.incarnation,
        ${isHeldBy('r', 'r.app_id', 'r.user_id')} as is_held
      from (select distinct * from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[]))
        as wanted (app_id, conversation_id, position, user_id)
      join reaction r on r.app_id = wanted.app_id and r.conversation_id = wanted.conversation_id
        and r.position = wanted.position and r.user_id = wanted.user_id`,
    values: ownerColumns(owners),
  });
}

function ownerColumns(owners: readonly ReactionOwner[]): unknown[] {
  return [
    column(owners, 'appId'),
    column(owners, 'conversationId'),
    column(owners, 'position'),
    column(owners, 'userId'),
  ];
}

function keyColumns(rows: readonly ReactionRow[]): unknown[] {
  return [
    column(rows, 'app_id'),
    column(rows, 'conversation_id'),
    column(rows, 'user_id'),
    column(rows, 'position'),
    column(rows, 'key'),
  ];
}

export function insertReactions(rows: readonly ReactionRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'insert_reactions',
    text: `
      insert into reaction (app_id, conversation_id, user_id, position, key, id, created_at, seq, incarnation)
      select row.app_id, row.conversation_id, row.user_id, row.position, row.key, row.id,
        to_timestamp(row.created_at / 1000), row.seq, row.incarnation
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::text[], $6::uuid[], $7::float8[], $8::int8[],
        $9::float8[]) as row (app_id, conversation_id, user_id, position, key, id, created_at, seq, incarnation)
      on conflict (app_id, conversation_id, user_id, position, key) do update
      set id = excluded.id, created_at = excluded.created_at, seq = excluded.seq, incarnation = excluded.incarnation`,
    values: [
      ...keyColumns(rows),
      column(rows, 'id'),
      column(rows, 'created_at'),
      column(rows, 'seq'),
      column(rows, 'incarnation'),
    ],
  };
}

export function deleteReactions(rows: readonly ReactionRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'delete_reactions',
    text: `
      delete from reaction r
      using unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::text[])
        as row (app_id, conversation_id, user_id, position, key)
      where r.app_id = row.app_id and r.conversation_id = row.conversation_id and r.user_id = row.user_id
        and r.position = row.position and r.key = row.key`,
    values: keyColumns(rows),
  };
}

/** Users whose reaction to a message was pushed, among the given ones; marks of erased persons do not count. */
export function listPushedReactions(
  sql: Sql,
  owners: readonly ReactionOwner[],
): Promise<{ app_id: string; conversation_id: string; position: number; user_id: string }[]> {
  return sql.query({
    name: 'list_pushed_reactions',
    text: `
      select p.app_id, p.conversation_id, p.position, p.user_id
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[])
        as wanted (app_id, conversation_id, position, user_id)
      join reaction_push p on p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id
        and p.position = wanted.position and p.user_id = wanted.user_id
        and ${isHeldBy('p', 'p.app_id', 'p.user_id')}`,
    values: ownerColumns(owners),
  });
}

/** Marks the reactions of users to messages as pushed, each user with their incarnation; null: 0. */
export function insertPushedReactions(
  owners: readonly (ReactionOwner & { incarnation: number | null })[],
): Statement | undefined {
  if (owners.length === 0) return undefined;
  return {
    name: 'insert_pushed_reactions',
    text: `
      insert into reaction_push (app_id, conversation_id, position, user_id, incarnation)
      select * from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[], $5::float8[])
      on conflict (app_id, conversation_id, user_id, position) do update set incarnation = excluded.incarnation`,
    values: [...ownerColumns(owners), column(owners, 'incarnation')],
  };
}

/** Deletes all reactions to a message that is deleted for all. */
export function deleteReactionsOfMessage(place: MessagePosition): Statement[] {
  const values = [place.appId, place.conversationId, place.position];
  return (['reaction', 'reaction_count', 'reaction_push'] as const).map((table) => ({
    name: `delete_${table}_of_message`,
    text: `delete from ${table} where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values,
  }));
}

/** The reactions of an erased person to the first messages with any. */
export function listErasedReactions(
  sql: Sql,
  { app_id, id }: { app_id: string; id: string },
  { userId, version, limit }: { userId: string; version: number; limit: number },
): Promise<ReactionRow[]> {
  return sql.query<ReactionRow>({
    name: 'list_erased_reactions',
    text: `
      select app_id, conversation_id, position, user_id, key, id, created_at, seq, incarnation from reaction
      where app_id = $1 and conversation_id = $2 and user_id = $3 and coalesce(incarnation, 0) < $4
      order by position limit $5`,
    values: [app_id, id, userId, version, limit],
  });
}

/** Forgets which reactions of an erased person were pushed. */
export async function forgetPushedReactions(
  sql: Sql,
  { app_id, id }: { app_id: string; id: string },
  { userId, version }: { userId: string; version: number },
): Promise<void> {
  await sql.execute({
    name: 'forget_pushed_reactions',
    text: `
      delete from reaction_push
      where app_id = $1 and conversation_id = $2 and user_id = $3 and coalesce(incarnation, 0) < $4`,
    values: [app_id, id, userId, version],
  });
}
