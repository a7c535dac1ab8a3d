import { fail, failNotFound } from '@parley/domain/problems';
import type { MessageViewRow } from '../sql/message/message-view.ts';
import { isVisible } from './view.ts';

/**
 * Whether a user may change their own message now (the action `edit_own`). Problems: not_found for a message that they do not see,
 * access_denied.
 */
export function requireOwnMessage(row: MessageViewRow, userId: string): void {
  if (!isVisible(row)) failNotFound('message', row.id);
  if (row.sender_id !== userId || row.is_of_erased || row.left_seq !== null) fail('access_denied');
}
