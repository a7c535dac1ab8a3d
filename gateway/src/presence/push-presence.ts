import { presenceChange } from '@parley/domain/json/change/identity';
import type { View } from '@parley/domain/json/view';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Connection } from '../connection/connection.ts';
import { frameBody, type FrameBody } from '../connection/frame.ts';
import type { Subscription, Watched } from './watched.ts';

export type PushPresence = {
  /** Pushes a presence to all who watch the user, unless they have it, or a newer one. */
  ifNewer(appId: string, presence: Presence): void;
  /** Pushes a presence to one subscription, and to all if it is news to them. */
  toSubscription(subscription: Subscription, presence: Presence): void;
};

/** `view`: of a client, without a user. */
export function createPushPresence(watched: Watched, view: View): PushPresence {
  function push(appId: string, presence: Presence, subscriptions: Iterable<Subscription>): void {
    const bodies = new Map<boolean, FrameBody>();
    const receivers = new Set<Connection>();
    for (const { sockets } of subscriptions) for (const socket of sockets) receivers.add(socket);
    for (const socket of receivers) {
      const isOwn = socket.caller.userId === presence.userId;
      if (presence.hidden && !isOwn) continue;
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
      if (user && presence.version > user.version) ifNewer(appId, presence);
      else push(appId, presence, [subscription]);
    },
  };
}
