import type { Sql } from '@parley/kit/postgres';
import type {
  ConversationReach,
  ReleasedMessage,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { column } from '../statement.ts';

type ReachRow = { app_id: string; conversation_id: string; seq: number };

/** Lists those of the conversations that are shorter than given, or missing, with their last change number. */
export function listShorter(sql: Sql, conversations: readonly ConversationReach[]): Promise<ReachRow[]> {
  return sql.query<ReachRow>({
    text: `
      select known.app_id, known.conversation_id, coalesce(c.seq, 0) as seq
      from unnest($1::uuid[], $2::uuid[], $3::float8[]) as known (app_id, conversation_id, seq)
      left join conversation c on c.app_id = known.app_id and c.id = known.conversation_id
      where coalesce(c.seq, 0) < known.seq`,
    values: [
      column(conversations, 'appId'),
      column(conversations, 'conversationId'),
      column(conversations, 'seq'),
    ],
  });
}

type PlaceRow = { app_id: string; conversation_id: string; position: number };

/** Finds the places of those messages that exist and are not deleted. */
export function findPlaces(sql: Sql, messages: readonly ReleasedMessage[]): Promise<PlaceRow[]> {
  return sql.query<PlaceRow>({
    text: `
      select m.app_id, m.conversation_id, m.position
      from unnest($1::uuid[], $2::uuid[]) as wanted (app_id, id)
      join message m on m.app_id = wanted.app_id and m.id = wanted.id and (m.deleted_at is null or m.shadowed)
      join conversation c on c.app_id = m.app_id and c.id = m.conversation_id and c.deleted_at is null`,
    values: [column(messages, 'appId'), column(messages, 'id')],
  });
}
