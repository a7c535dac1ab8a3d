import { randomUUID } from 'node:crypto';

/** An event: a user sends a message. */
export function message(appId: string, userId: string, createdAt: number) {
  const sender = { userId, displayName: userId.toUpperCase() };
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: 'hello' }];
  return {
    appId,
    createdAt,
    conversationId: randomUUID(),
    actor: sender,
    body: {
      case: 'messageCreated' as const,
      value: { message: { appId, id: randomUUID(), sender, parts } },
    },
  };
}
