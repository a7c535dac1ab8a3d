import type { ServerMessageInput } from '@parley/domain/parse/message';

/** Converts a server's message to a draft, with the exceptions from its significance. */
export function toDraft({ significance, ...input }: Omit<ServerMessageInput, 'schedule'>) {
  const stated = [...(significance?.lowByUserId ?? [])];
  const contraryUserIds = stated.flatMap(([userId, low]) => (low === input.low ? [] : [userId]));
  return { ...input, contraryUserIds };
}
