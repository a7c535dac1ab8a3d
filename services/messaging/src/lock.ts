import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { lockConversations, type ConversationRef, type ConversationRow } from './sql/conversation.ts';
import type { ParticipantRow } from './sql/participant.ts';

/** Whether a user or, with nothing there, a server asks. */
export type Caller = { userId: string };

/**
 * Locks one conversation that is not deleted. Problems: not_found; object_deleted for a server. To be the first statement
 * of the transaction; what it decides on is read by a later one, on a fresh snapshot.
 */
export async function lockConversation(
  tx: Tx,
  ref: ConversationRef,
  caller: Caller,
): Promise<ConversationRow> {
  const [conversation] = await lockConversations(tx, [ref]);
  if (!conversation) return fail('not_found');
  if (conversation.deleted_at !== null) return fail(caller.userId ? 'not_found' : 'object_deleted');
  return conversation;
}

/** Problems: not_found for somebody who never took part, access_denied for somebody who was removed. */
export function requirePresent<P extends Pick<ParticipantRow, 'left_seq'>>(participant: P | undefined): P {
  if (!participant) return fail('not_found');
  if (participant.left_seq !== null) return fail('access_denied');
  return participant;
}
