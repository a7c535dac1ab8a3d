import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { isHeld } from './participant.ts';
import type { MessagePosition } from '../message/message-at.ts';
import { newestOwnShadowedAt } from '../message/shadowed.ts';
import { mayHold } from './side-tables.ts';
import { column, type Statement } from '../statement.ts';

/** SQL of the place of conversation `c` in the list of participant `p`, as `place`, for a `left join … on true`. */
export const LIST_PLACE = lookUp(
  'list_place',
  'place',
  `(p.hidden_count > 0 or p.hidden_until > 0 or p.unseen is not null or ${mayHold('c', 'shadow')}) and place.app_id = p.app_id and place.conversation_id = p.conversation_id
          and place.user_id = p.user_id`,
);

/**
 * SQL of the time by which the list of participant `p` is sorted, where `LIST_PLACE` is joined: that of the newest message, or of the one before
 * the run of messages at the end that a block withholds. The list of who blocks a user never moves for what it does not show, and that of a
 * user under a shadow restriction moves for what they send.
 */
export const LISTED_AT =
  'case when place.withheld_until >= c.head then place.message_at else c.last_message_at end';

/** Consecutive new messages that are withheld from a participant. */
export type WithheldRun = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  first: number;
  last: number;
  /** Time of the message before, if that is of the same transaction; null: as the conversation's row says. */
  before_at: number | null;
};

/** A run that continues the stored one leaves the conversation where it is in the list. */
export function upsertListPlaces(runs: readonly WithheldRun[]): Statement | undefined {
  if (runs.length === 0) return undefined;
  return {
    name: 'upsert_list_places',
    text: `
      insert into list_place as place (app_id, conversation_id, user_id, withheld_until, message_at)
      select run.app_id, run.conversation_id, run.user_id, run.last,
        coalesce(to_timestamp(run.before_at / 1000), c.last_message_at)
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::int8[], $6::float8[])
        as run (app_id, conversation_id, user_id, first, last, before_at)
      join conversation c on c.app_id = run.app_id and c.id = run.conversation_id
      on conflict (app_id, conversation_id, user_id) do update
      set withheld_until = excluded.withheld_until,
        message_at = case when place.withheld_until = (
            select run.first - 1 from unnest($2::uuid[], $3::text[], $4::int8[]) as run (conversation_id, user_id, first)
            where run.conversation_id = place.conversation_id and run.user_id = place.user_id)
          then place.message_at else excluded.message_at end`,
    values: [
      column(runs, 'app_id'),
      column(runs, 'conversation_id'),
      column(runs, 'user_id'),
      column(runs, 'first'),
      column(runs, 'last'),
      column(runs, 'before_at'),
    ],
  };
}

/** Those of the users in whose lists a conversation stands at a place of its own, since all up to its head is withheld from them. */
export async function listPlaced(
  sql: Sql,
  { appId, conversationId }: Omit<MessagePosition, 'position'>,
  { head, userIds }: { head: number; userIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_placed',
    text: `
      select user_id from list_place
      where app_id = $1 and conversation_id = $2 and user_id = any ($3::text[]) and withheld_until >= $4::int8`,
    values: [appId, conversationId, userIds, head],
  });
  return rows.map((row) => row.user_id);
}

/** A participant whose place in the list may move, and up to where they hid the conversation. */
export type MovingPlace = { user_id: string; hidden_until: number; unseen: string | null };

/**
 * Participants of whose list the newest message may be the one that is deleted: everything up to the head is deleted or withheld from them,
 * and they saw it. `newest`: the position of the newest other message that is not deleted.
 */
export function listMovingPlaces(
  sql: Sql,
  { appId, conversationId, position }: MessagePosition,
  newest: number,
): Promise<MovingPlace[]> {
  return sql.query<MovingPlace>({
    name: 'list_moving_places',
    text: `
      select place.user_id, p.hidden_until, p.unseen::text as unseen
      from list_place place
      join participant p on p.app_id = place.app_id and p.conversation_id = place.conversation_id
        and p.user_id = place.user_id and ${isHeld()}
      join message m on m.app_id = place.app_id and m.conversation_id = place.conversation_id and m.position = $3
      left join participant_block b on b.app_id = place.app_id and b.conversation_id = place.conversation_id
        and b.user_id = place.user_id and b.block = $3::int8 / 256
      where place.app_id = $1 and place.conversation_id = $2 and place.withheld_until >= $4::int8
        and (p.unseen is null or not p.unseen @> $3) and place.message_at <= m.sent_at and coalesce(get_bit(b.hidden, ($3::int8 % 256)::int), 0) = 0`,
    values: [appId, conversationId, position, newest],
  });
}

/**
 * Keeps places true when a message is deleted for all. `newest`: the position of the newest other message that is not deleted. Where that is
 * withheld, everything up to the head is deleted or withheld. `seen`: the newest message that participants still see, 0 for none, of those
 * for whom that may change.
 */
export function moveListPlaces(
  { appId, conversationId }: MessagePosition,
  { head, newest, seen }: { head: number; newest: number; seen: ReadonlyMap<string, number> },
): Statement {
  return {
    name: 'move_list_places',
    text: `
      update list_place place
      set withheld_until = $3::int8, message_at = case
        when place.user_id = any ($5::text[]) then greatest(coalesce((
          select m.sent_at from message m
          where m.app_id = place.app_id and m.conversation_id = place.conversation_id
            and m.position = ($6::int8[])[array_position($5::text[], place.user_id)]), c.created_at),
          ${newestOwnShadowedAt({ appId: 'place.app_id', conversationId: 'place.conversation_id', userId: 'place.user_id' })})
        else place.message_at end
      from conversation c
      where place.app_id = $1::uuid and place.conversation_id = $2::uuid and place.withheld_until >= $4::int8
        and c.app_id = place.app_id and c.id = place.conversation_id`,
    values: [appId, conversationId, head, newest, [...seen.keys()], [...seen.values()]],
  };
}
