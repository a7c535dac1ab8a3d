import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { presenceChange } from '@parley/domain/json/change/identity';
import type { View } from '@parley/domain/json/view';
import type { Presence, PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Connection } from '../connection/connection.ts';
import { frameBody, type FrameBody } from '../connection/frame.ts';
import type { Subscription, Watched } from './watched.ts';

export type PushPresence = {
  /**
   * Pushes a presence to all viewers who may see it, unless they have it or a newer one. Returns undefined if that was done at once;
   * otherwise resolves when it is known who may see it. Rejects when that cannot be determined, so that the presence can be pushed again.
   */
  ifNewer(appId: string, presence: Presence): Promise<void> | undefined;
  /** Pushes a presence that the user may see to one subscription, even if others have it already. */
  toSubscription(subscription: Subscription, presence: Presence): Promise<void> | undefined;
};

type Options = {
  presences: Pick<Client<typeof PresenceService>, 'listHiddenFrom'>;
  watched: Watched;
  /** The form of records that is the same for all users. */
  view: View;
};

type Receivers = { receivers: ReadonlySet<Connection>; hidden: ReadonlySet<string> };

/** Most viewers in one call. */
const MAX_IN_CALL = 1_000;

export function createPushPresence({ presences, watched, view }: Options): PushPresence {
  /** Unfinished pushes of users whose excluded viewers must be fetched: changes are pushed in order. */
  const asking = new Map<string, Promise<void>>();

  function push(
    appId: string,
    presence: Presence,
    subscriptions: Iterable<Subscription>,
  ): Promise<void> | undefined {
    const receivers = new Set<Connection>();
    for (const { sockets } of subscriptions) for (const socket of sockets) receivers.add(socket);
    const key = `${appId}/${presence.userId}`;
    const before = asking.get(key);
    if (!before && !presence.hiddenFromMore) {
      pushTo(appId, presence, { receivers, hidden: new Set(presence.hiddenFrom) });
      return undefined;
    }
    const pushed = (before ?? Promise.resolve())
      .then(() => findHidden(presences, { appId, presence, receivers }))
      .then((hidden) => pushTo(appId, presence, { receivers, hidden }));
    const ended = pushed
      .catch(() => undefined)
      .then(() => {
        if (asking.get(key) === ended) asking.delete(key);
      });
    asking.set(key, ended);
    return pushed;
  }

  function pushTo(appId: string, presence: Presence, { receivers, hidden }: Receivers): void {
    const bodies = new Map<boolean, FrameBody>();
    for (const socket of receivers) {
      const { userId } = socket.caller;
      const isOwn = userId === presence.userId;
      if ((presence.hidden && !isOwn) || hidden.has(userId)) continue;
      let body = bodies.get(isOwn);
      if (!body) bodies.set(isOwn, (body = bodyOf({ ...view, appId }, presence, isOwn)));
      socket.push('change', body);
    }
  }

  function ifNewer(appId: string, presence: Presence): Promise<void> | undefined {
    const { version } = presence;
    const user = watched.find(appId, presence.userId);
    if (!user || version <= user.version) return undefined;
    const before = user.version;
    user.version = version;
    return push(appId, presence, user.by)?.catch((error: unknown) => {
      // Otherwise the next repair would skip this version as already pushed.
      if (user.version === version) user.version = before;
      throw error;
    });
  }

  return {
    ifNewer,
    toSubscription(subscription, presence) {
      const { appId } = subscription;
      const user = watched.find(appId, presence.userId);
      if (user && presence.version > user.version)
        return ifNewer(appId, { ...presence, hiddenFromMore: true });
      return push(appId, presence, [subscription]);
    },
  };
}

function bodyOf(view: View, presence: Presence, isOwn: boolean): FrameBody {
  return frameBody(presenceChange(isOwn ? { ...view, userId: presence.userId } : view, presence));
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
    // The previous release does not know this call; it hides no presence.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    throw error;
  }
}
