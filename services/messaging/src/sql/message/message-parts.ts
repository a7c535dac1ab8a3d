import type { MessagePosition } from './message-at.ts';
import type { Statement } from '../statement.ts';

/** Replaces the body of a message. */
export function updateMessageBody(
  { appId, conversationId, position }: MessagePosition,
  { body, updatedAt }: { body: Uint8Array; updatedAt: number | null },
): Statement {
  return {
    name: 'rewrite_message',
    text: `
      update message set body = $4::bytea, updated_at = to_timestamp($5::float8 / 1000)
      where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values: [appId, conversationId, position, body, updatedAt],
  };
}
