import { fail } from '@parley/domain/problems';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';

/** The caller: a user, or a server if the user id is empty. */
export type Caller = { userId: string };

/**
 * Problems: not_found when the conversation does not exist or is deleted; object_deleted instead when a server asks for
 * a deleted one.
 */
export function requireExisting(conversation: ConversationRow | undefined, caller: Caller): ConversationRow {
  if (!conversation) return fail('not_found');
  if (conversation.deleted_at !== null) return fail(caller.userId ? 'not_found' : 'object_deleted');
  return conversation;
}

/** Problems: not_found for a user who never took part, access_denied for a user who was removed. */
export function requireParticipant<P extends Pick<ParticipantRow, 'left_seq'>>(
  participant: P | undefined,
): P {
  if (!participant) return fail('not_found');
  if (participant.left_seq !== null) return fail('access_denied');
  return participant;
}
