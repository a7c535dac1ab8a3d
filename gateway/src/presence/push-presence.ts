import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { presenceChange } from '@parley/domain/json/change/identity';
import type { View } from '@parley/domain/json/view';
import type { Presence, PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Connection } from '../connection/connection.ts';
import { frameBody, type FrameBody } from '../connection/frame.ts';
import type { Subscription, Watched } from './watched.ts';

export type PushPresence = {
  /** Pushes a presence to all who watch the user and see it, unless they have it, or a newer one. */
  ifNewer(appId: string, presence: Presence): void;
  /** Pushes a presence that the subscription's user sees to it, and to all if it is news to them. */
  toSubscription(subscription: Subscription, presence: Presence): void;
};

type Options = {
  presences: Pick<Client<typeof PresenceService>, 'listHiddenFrom'>;
  watched: Watched;
  /** Of a client, without a user. */
  view: View;
  failed(error: unknown): void;
};

type Receivers = { receivers: ReadonlySet<Connection>; hidden: ReadonlySet<string> };

/** Viewers in one call. */
const MAX_IN_CALL = 1_000;

export function createPushPresence({ presences, watched, view, failed }: Options): PushPresence {
  /** The pushes under way of users whose unseeing viewers have to be asked for: changes are pushed in their order. */
  const asking = new Map<string, Promise<void>>();

  function push(appId: string, presence: Presence, subscriptions: Iterable<Subscription>): void {
    const receivers = new Set<Connection>();
    for (const { sockets } of subscriptions) for (const socket of sockets) receivers.add(socket);
    const key = `${appId}/${presence.userId}`;
    const before = asking.get(key);
    if (!before && !presence.hiddenFromMore)
      return pushTo(appId, presence, { receivers, hidden: new Set(presence.hiddenFrom) });
    const pushed = (before ?? Promise.resolve())
      .then(() => findHidden(presences, { appId, presence, receivers }))
      .then((hidden) => pushTo(appId, presence, { receivers, hidden }))
      .catch(failed)
      .finally(() => {
        if (asking.get(key) === pushed) asking.delete(key);
      });
    asking.set(key, pushed);
  }

  function pushTo(appId: string, presence: Presence, { receivers, hidden }: Receivers): void {
    const bodies = new Map<boolean, FrameBody>();
    for (const socket of receivers) {
      const { userId } = socket.caller;
      const isOwn = userId === presence.userId;
      if ((presence.hidden && !isOwn) || hidden.has(userId)) continue;
      let body = bodies.get(isOwn);
      if (!body) bodies.set(isOwn, (body = bodyOf(appId, presence, isOwn)));
      socket.push('change', body);
    }
  }

  function bodyOf(appId: string, presence: Presence, isOwn: boolean): FrameBody {
    const { userId } = presence;
    return frameBody(presenceChange(isOwn ? { ...view, appId, userId } : { ...view, appId }, presence));
  }

  function ifNewer(appId: string, presence: Presence): void {
    const user = watched.find(appId, presence.userId);
    if (!user || presence.version <= user.version) return;
    user.version = presence.version;
    push(appId, presence, user.by);
  }

  return {
    ifNewer,
    toSubscription(subscription, presence) {
      const { appId } = subscription;
      const user = watched.find(appId, presence.userId);
      if (user && presence.version > user.version) ifNewer(appId, { ...presence, hiddenFromMore: true });
      else push(appId, presence, [subscription]);
    },
  };
}

type Seen = { appId: string; presence: Presence; receivers: ReadonlySet<Connection> };

async function findHidden(
  presences: Options['presences'],
  { appId, presence: { userId, hiddenFrom, hiddenFromMore }, receivers }: Seen,
): Promise<ReadonlySet<string>> {
  const hidden = new Set(hiddenFrom);
  const viewers = hiddenFromMore ? [...new Set([...receivers].map(({ caller }) => caller.userId))] : [];
  for (let at = 0; at < viewers.length; at += MAX_IN_CALL) {
    const query = { appId, userId, viewerUserIds: viewers.slice(at, at + MAX_IN_CALL) };
    for (const viewer of await listHiddenFrom(presences, query)) hidden.add(viewer);
  }
  return hidden;
}

async function listHiddenFrom(
  presences: Options['presences'],
  query: { appId: string; userId: string; viewerUserIds: string[] },
): Promise<string[]> {
  try {
    return (await presences.listHiddenFrom(query)).userIds;
  } catch (error) {
    // The release before this one keeps presence from nobody.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    throw error;
  }
}
