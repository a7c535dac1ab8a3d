import { create } from '@bufbuild/protobuf';
import { presenceChange } from '@parley/domain/json/change/identity';
import { parsePresenceIds, parsePresencePatch, parseSince } from '@parley/domain/parse/presence';
import { fail } from '@parley/domain/problems';
import {
  PresenceSchema,
  PresenceStatus,
  type Presence,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { listFollowed } from '../../presence/followed.ts';
import type { RequestHandler, SocketRequest } from './index.ts';
import { clientView } from './rest.ts';

const MOST_IN_CALL = 1_000;

/**
 * `Presence.subscribe`: sends this socket the presence changes of the named users or, without ids, of all users that its user
 * follows, now and later.
 */
export const subscribePresence: RequestHandler = async ({ ctx, live, connection, data }) => {
  const userIds = parsePresenceIds(ctx.wire, data);
  if (userIds) await live.presence.watch(connection, userIds);
  else await live.presence.watchFollowed(connection);
  return {};
};

/** `Presence.update`: what this user appears as. */
export const updatePresence: RequestHandler = async ({ ctx, connection, data }) => {
  const { appId, userId } = connection.caller;
  await ctx.presenceReporter.choose({ appId, userId }, parsePresencePatch(data));
  return {};
};

/** `Presence.sync`: where these people are, or which of those subscribed to changed since a time. */
export const syncPresence: RequestHandler = async (request) => {
  const { ctx, live, connection, data } = request;
  const ids = parsePresenceIds(ctx.wire, data);
  const since = parseSince(data);
  if (!ids && since === undefined) return fail('missing_property', { property: 'since' });
  const subscribed = live.presence.watchedBy(connection);
  const userIds = ids ?? (subscribed.length > 0 ? subscribed : await followedBy(request));
  const found = await readPresences(request, userIds);
  const wanted = since === undefined ? found : found.filter(({ changedAt }) => changedAt >= since);
  const view = clientView(request);
  return {
    changes: wanted.map((presence) => presenceChange(view, presence)),
  };
};

async function readPresences(
  { ctx, connection }: SocketRequest,
  userIds: readonly string[],
): Promise<Presence[]> {
  const { appId } = connection.caller;
  const found = new Map<string, Presence>();
  for (let at = 0; at < userIds.length; at += MOST_IN_CALL) {
    const some = userIds.slice(at, at + MOST_IN_CALL);
    const { presences } = await ctx.presences.getPresences({ appId, userIds: some });
    for (const presence of presences) found.set(presence.userId, presence);
  }
  const status = PresenceStatus.OFFLINE;
  return [...new Set(userIds)].map(
    (userId) => found.get(userId) ?? create(PresenceSchema, { userId, status }),
  );
}

async function followedBy({ ctx, connection }: SocketRequest): Promise<string[]> {
  return (await listFollowed(ctx.relations, connection.caller))?.userIds ?? [];
}
