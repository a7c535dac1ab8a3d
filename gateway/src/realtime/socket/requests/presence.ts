import { parsePresenceIds, parsePresencePatch } from '@parley/domain/parse/presence';
import { itemsWeight } from '../../../admission/limits/weights.ts';
import type { SocketRequest } from './request.ts';

/**
 * `Presence.subscribe`: sends this socket the presence changes of the named users; or, without ids, of the users whom its
 * user follows, as the list changes.
 */
export async function subscribePresence(request: SocketRequest): Promise<object> {
  const { ctx, connection, data } = request;
  const { maxPresenceIds } = ctx.config;
  const userIds = parsePresenceIds(ctx.wire, data, maxPresenceIds);
  // Counted before the users are watched, and undone if that fails.
  const takeBack = userIds && connection.namedUsers.add(userIds, maxPresenceIds);
  const { appId, userId, sessionId: tokenId } = connection.caller;
  try {
    await ctx.limits.concurrency.run('list', { appId, userId, tokenId }, () => watch(request, userIds));
    return {};
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

async function watch({ live, connection, weigh }: SocketRequest, userIds?: string[]): Promise<void> {
  if (!userIds) return weigh(itemsWeight(await live.presence.watchFollowed(connection)));
  weigh(itemsWeight(userIds.length));
  await live.presence.watch(connection, userIds);
}

/** `Presence.update`: chooses the presence that this user shows. */
export async function updatePresence({ ctx, connection, data }: SocketRequest): Promise<object> {
  const { appId, userId, incarnation } = connection.caller;
  await ctx.presenceReporter.choose({ appId, userId, incarnation }, parsePresencePatch(data));
  return {};
}
