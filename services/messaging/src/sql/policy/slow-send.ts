import type { SlowSend } from '../../message/send/slow-mode.ts';
import { column, type Statement } from '../statement.ts';

/** Keeps when participants last sent in slow mode. */
export function noteSlowSends(sends: readonly SlowSend[]): Statement | undefined {
  if (sends.length === 0) return undefined;
  return {
    name: 'note_slow_sends',
    text: `
      update participant p set slow_sent_at = to_timestamp(sent.at / 1000)
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[]) as sent (app_id, conversation_id, user_id, at)
      where p.app_id = sent.app_id and p.conversation_id = sent.conversation_id and p.user_id = sent.user_id`,
    values: [
      column(sends, 'app_id'),
      column(sends, 'conversation_id'),
      column(sends, 'user_id'),
      column(sends, 'at'),
    ],
  };
}
