import type { Query } from '@parley/kit/postgres';
import { column } from '../statement.ts';

/** A change of a conversation as it was told. `createdAt`: milliseconds. */
export type ToldChange = { appId: string; conversationId: string; seq: number; createdAt: number };

/**
 * Whether all of these changes are in the log (`is_kept`). One that expired or whose application was deleted counts as kept; one whose number
 * another change has, or that its conversation has not reached, does not.
 */
export function areKept(told: readonly ToldChange[]): Query {
  return {
    name: 'are_told_changes_kept',
    text: `
      select coalesce(bool_and(case
        when ch.at is not null then ch.at = to_timestamp(told.created_at / 1000)
        when c.seq is not null then c.seq >= told.seq
        else exists (select from app_tombstone gone where gone.app_id = told.app_id)
      end), true) as is_kept
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::float8[]) as told (app_id, conversation_id, seq, created_at)
      left join lateral (
        select max(created_at) as at from change
        where change.app_id = told.app_id and change.conversation_id = told.conversation_id and change.seq = told.seq
      ) ch on true
      left join lateral (
        select conversation.seq from conversation
        where conversation.app_id = told.app_id and conversation.id = told.conversation_id offset 0
      ) c on true`,
    values: [
      column(told, 'appId'),
      column(told, 'conversationId'),
      column(told, 'seq'),
      column(told, 'createdAt'),
    ],
  };
}
