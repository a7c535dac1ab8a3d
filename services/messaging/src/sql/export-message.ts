import { lookUp } from '@parley/kit/look-up';
import type { Sql } from '@parley/kit/postgres';
import { column } from './statement.ts';

/** Positions of a conversation, both ends included. */
export type Stretch = { conversation_id: string; first: number; last: number };

export type ExportedRow = {
  conversation_id: string;
  position: number;
  id: string;
  sender_id: string;
  sent_at: number;
  updated_at: number | null;
  body: Uint8Array;
  sender_display_name: string | null;
  sender_avatar_url: string | null;
};

/** By stretch and position, deleted ones left out, and those of conversations deleted since. */
export function listStretches(
  sql: Sql,
  appId: string,
  stretches: readonly Stretch[],
): Promise<ExportedRow[]> {
  return sql.query<ExportedRow>({
    name: 'list_export_stretches',
    text: `
      select m.conversation_id, m.position, m.id, m.sender_id, m.sent_at, m.updated_at, m.body,
        i.display_name as sender_display_name, i.avatar_url as sender_avatar_url
      from unnest($2::uuid[], $3::int8[], $4::int8[]) with ordinality
        as stretch (conversation_id, first, last, number)
      join ${lookUp('conversation', 'c', 'c.app_id = $1 and c.id = stretch.conversation_id')} on c.deleted_at is null
      cross join lateral (
        select * from message m where m.app_id = $1 and m.conversation_id = stretch.conversation_id
          and m.position between stretch.first and stretch.last and m.deleted_at is null
        order by m.position
      ) m
      left join ${lookUp('identity_copy', 'i', 'i.app_id = $1 and i.user_id = m.sender_id')} on true
      order by stretch.number, m.position`,
    values: [
      appId,
      column(stretches, 'conversation_id'),
      column(stretches, 'first'),
      column(stretches, 'last'),
    ],
  });
}

export type PlaceQuery = {
  app_id: string;
  conversation_id: string;
  positions: readonly { first: number; last: number }[];
  limit: number;
};

/** Messages within ranges of positions, in order, deleted ones too. */
export function listPlacesWithin(
  sql: Sql,
  { app_id, conversation_id, positions, limit }: PlaceQuery,
): Promise<{ id: string; position: number; sender_id: string }[]> {
  return sql.query({
    name: 'list_places_within',
    text: `
      select m.id, m.position, m.sender_id from unnest($3::int8[], $4::int8[]) as range (first, last)
      join message m on m.app_id = $1 and m.conversation_id = $2
        and m.position between range.first and range.last
      order by m.position limit $5`,
    values: [app_id, conversation_id, column(positions, 'first'), column(positions, 'last'), limit],
  });
}
