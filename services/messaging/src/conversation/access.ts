import { fail } from '@parley/domain/problems';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';

/** Whether a user or, with nothing there, a server asks. */
export type Caller = { userId: string };

/** Problems: not_found when there is none or it is deleted; object_deleted when it is deleted, for a server. */
export function requireExisting(conversation: ConversationRow | undefined, caller: Caller): ConversationRow {
  if (!conversation) return fail('not_found');
  if (conversation.deleted_at !== null) return fail(caller.userId ? 'not_found' : 'object_deleted');
  return conversation;
}

/** Problems: not_found for somebody who never took part, access_denied for somebody who was removed. */
export function requireParticipant<P extends Pick<ParticipantRow, 'left_seq'>>(
  participant: P | undefined,
): P {
  if (!participant) return fail('not_found');
  if (participant.left_seq !== null) return fail('access_denied');
  return participant;
}
