import { fail, failNotFound } from '@parley/domain/problems';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';

/** The conversation that a caller named: a user, or a server if the user id is empty. */
export type Asked = { id: string; userId: string };

/**
 * Problems: not_found when the conversation does not exist or is deleted; object_deleted instead when a server asks for
 * a deleted one.
 */
export function requireExisting<C extends ConversationRow>(
  conversation: C | undefined,
  { id, userId }: Asked,
): C {
  if (!conversation) return failNotFound('conversation', id);
  if (conversation.deleted_at !== null) return failDeleted(id, userId);
  return conversation;
}

/** A deleted conversation does not exist for users, and is gone for servers. Problems: not_found, object_deleted. */
export function failDeleted(conversationId: string, userId: string): never {
  return userId ? failNotFound('conversation', conversationId) : fail('object_deleted');
}

/** Problems: not_found for a user who never took part, access_denied for a user who was removed. */
export function requireParticipant<P extends Pick<ParticipantRow, 'left_seq'>>(
  participant: P | undefined,
  conversationId: string,
): P {
  if (!participant) return failNotFound('conversation', conversationId);
  if (participant.left_seq !== null) return fail('access_denied');
  return participant;
}
