import { rowParameters } from '../row-parameters.ts';
import { column, WRITE_CONDITION, type Statement } from '../statement.ts';

type BitmapKey = { app_id: string; conversation_id: string; user_id: string; block: number };

export type ParticipantBitmapRow = BitmapKey & {
  read: Uint8Array;
  delivered: Uint8Array;
  hidden: Uint8Array;
  contrary: Uint8Array;
};

const BITMAP = rowParameters<ParticipantBitmapRow>('row', {
  app_id: 'uuid',
  conversation_id: 'uuid',
  user_id: 'text',
  block: 'int8',
  read: 'bytea',
  delivered: 'bytea',
  hidden: 'bytea',
  contrary: 'bytea',
});

export function upsertParticipantBitmaps(rows: readonly ParticipantBitmapRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  const row = BITMAP.of(rows);
  return {
    name: `upsert_participant_blocks${row.suffix}`,
    text: `
      insert into participant_block (app_id, conversation_id, user_id, block, read, delivered, hidden, contrary)
      select * from ${row.sql}
      where ${WRITE_CONDITION}
      on conflict (app_id, conversation_id, user_id, block) do update
      set read = excluded.read, delivered = excluded.delivered, hidden = excluded.hidden,
        contrary = excluded.contrary`,
    values: row.values,
  };
}

export function deleteParticipantBitmaps(rows: readonly BitmapKey[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  return {
    name: 'delete_participant_blocks',
    text: `
      delete from participant_block b
      using unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[]) as row (app_id, conversation_id, user_id, block)
      where b.app_id = row.app_id and b.conversation_id = row.conversation_id and b.user_id = row.user_id
        and b.block = row.block and ${WRITE_CONDITION}`,
    values: [
      column(rows, 'app_id'),
      column(rows, 'conversation_id'),
      column(rows, 'user_id'),
      column(rows, 'block'),
    ],
  };
}
