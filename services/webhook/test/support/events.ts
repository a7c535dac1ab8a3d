import { randomUUID } from 'node:crypto';
import { messageIdAt } from './platform.ts';

const ada = { userId: 'ada', displayName: 'Ada' };

/** A message of ada's in a conversation with bob. */
export function messageCreated(appId: string, position = 1, conversationId: string = randomUUID()) {
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: `message ${position}` }];
  const message = {
    appId,
    id: messageIdAt(position),
    conversationId,
    position,
    sender: ada,
    parts,
    sentAt: 1,
  };
  return {
    ...{ appId, conversationId, actor: ada },
    body: { case: 'messageCreated' as const, value: { message } },
  };
}
