import { column, WRITE_CONDITION, type Statement } from '../statement.ts';

export type ConversationBitmapRow = {
  app_id: string;
  conversation_id: string;
  block: number;
  low: Uint8Array;
  deleted: Uint8Array;
};

export function upsertConversationBitmaps(rows: readonly ConversationBitmapRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'upsert_conversation_blocks',
    text: `
      insert into conversation_block (app_id, conversation_id, block, low, deleted)
      select * from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::bytea[], $5::bytea[])
      where ${WRITE_CONDITION}
      on conflict (app_id, conversation_id, block) do update set low = excluded.low, deleted = excluded.deleted`,
    values: [
      column(rows, 'app_id'),
      column(rows, 'conversation_id'),
      column(rows, 'block'),
      column(rows, 'low'),
      column(rows, 'deleted'),
    ],
  };
}
