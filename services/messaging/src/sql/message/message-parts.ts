import type { Sql } from '@parley/kit/postgres';
import type { MessagePosition } from './message-at.ts';
import type { Statement } from '../statement.ts';

/** Replaces the body of a message. */
export function updateMessageBody(
  { appId, conversationId, position }: MessagePosition,
  { body, updatedAt }: { body: Uint8Array; updatedAt: number },
): Statement {
  return {
    name: 'rewrite_message',
    text: `
      update message set body = $4::bytea, updated_at = to_timestamp($5::float8 / 1000)
      where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values: [appId, conversationId, position, body, updatedAt],
  };
}

/** Present and former participants who do not see a message: they hid it, or blocked its sender when it was sent. */
export async function listHiddenFrom(sql: Sql, place: MessagePosition): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_hidden_from',
    text: `
      select user_id from participant
      where app_id = $1 and conversation_id = $2 and hidden_until >= $3
      union
      select user_id from participant_block
      where app_id = $1 and conversation_id = $2 and block = $3::int8 / 256
        and get_bit(hidden, ($3::int8 % 256)::int) = 1`,
    values: [place.appId, place.conversationId, place.position],
  });
  return rows.map((row) => row.user_id);
}
