import type { Sql } from '@parley/kit/postgres';
import type { ConversationBitmapRow } from './conversation-bitmap.ts';
import { column } from '../statement.ts';

/** The bitmaps of low and deleted positions of conversations, from a bitmap on. */
export function listExclusions(
  sql: Sql,
  queries: readonly { appId: string; conversationId: string; firstBlock: number }[],
): Promise<ConversationBitmapRow[]> {
  return sql.query<ConversationBitmapRow>({
    name: 'list_exclusions',
    text: `
      select b.app_id, b.conversation_id, b.block, b.low, b.deleted
      from unnest($1::uuid[], $2::uuid[], $3::int8[]) as wanted (app_id, conversation_id, first_block)
      join conversation_block b on b.app_id = wanted.app_id and b.conversation_id = wanted.conversation_id
        and b.block >= wanted.first_block`,
    values: [column(queries, 'appId'), column(queries, 'conversationId'), column(queries, 'firstBlock')],
  });
}

export type UnseenRow = {
  conversation_id: string;
  user_id: string;
  block: number;
  hidden: Uint8Array | null;
  deleted: Uint8Array | null;
};

export type UnseenQuery = {
  appId: string;
  conversationId: string;
  userId: string;
  lowest: number;
  highest: number;
};

/**
 * Positions that a user does not see, in some bitmaps of each conversation. A bitmap may occur twice: for hidden and
 * for deleted positions.
 */
export function listUnseen(sql: Sql, queries: readonly UnseenQuery[]): Promise<UnseenRow[]> {
  return sql.query<UnseenRow>({
    name: 'list_unseen',
    text: `
      with wanted as (
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::int8[])
          as wanted (app_id, conversation_id, user_id, lowest, highest)
      )
      select b.conversation_id, wanted.user_id, b.block, b.hidden, null::bytea as deleted
      from wanted join participant_block b on b.app_id = wanted.app_id
        and b.conversation_id = wanted.conversation_id and b.user_id = wanted.user_id
        and b.block between wanted.lowest and wanted.highest
      union all
      select b.conversation_id, wanted.user_id, b.block, null::bytea, b.deleted
      from wanted join conversation_block b on b.app_id = wanted.app_id
        and b.conversation_id = wanted.conversation_id and b.block between wanted.lowest and wanted.highest`,
    values: [
      column(queries, 'appId'),
      column(queries, 'conversationId'),
      column(queries, 'userId'),
      column(queries, 'lowest'),
      column(queries, 'highest'),
    ],
  });
}
