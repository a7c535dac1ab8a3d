import type { ServerMessageInput } from '@parley/domain/parse/message';

/** What a server asked for, with its significance as drafts have it. */
export function toDraft({ significance, ...input }: Omit<ServerMessageInput, 'schedule'>) {
  const stated = [...(significance?.lowByUserId ?? [])];
  const contraryUserIds = stated.flatMap(([userId, low]) => (low === input.low ? [] : [userId]));
  return { ...input, contraryUserIds };
}
