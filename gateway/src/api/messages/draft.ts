import type { ServerMessageInput } from '@parley/domain/parse/message';

/** A server's message as a draft, with the exceptions from its significance. */
export function toDraft({ significance, ...input }: Omit<ServerMessageInput, 'schedule'>) {
  const stated = [...(significance?.lowByUserId ?? [])];
  const contraryUserIds = stated.flatMap(([userId, low]) => (low === input.low ? [] : [userId]));
  return { ...input, contraryUserIds };
}
