import { fromBinary } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { presenceChange } from '@parley/domain/json/change/identity';
import type { View } from '@parley/domain/json/view';
import {
  PresenceBatchSchema,
  type Presence,
  type PresenceService,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Connection } from '../socket/connection.ts';
import { frameBody, type FrameBody } from '../socket/frame.ts';

/** Sockets that want to know where people are. */
export type PresenceWatchers = {
  /** Resolves once nothing that happens to these users is missed. */
  watch(connection: Connection, userIds: readonly string[]): Promise<void>;
  /** User ids that a socket watches. */
  watchedBy(connection: Connection): string[];
  left(connection: Connection): void;
  hear(payload: Uint8Array, appId: string): void;
  /** Tells what was missed while nothing was heard. */
  catchUp(): Promise<void>;
};

type Options = {
  presences: Client<typeof PresenceService>;
  /** Of a client, without a user. */
  view: View;
  /** Hears of a user's presence, as often as it is called, until `unlisten` is called as often. */
  listen(userId: string): Promise<void>;
  unlisten(userId: string): void;
};

type Watched = { appId: string; userId: string; version: number; by: Set<Connection> };

const MOST_IN_CALL = 1_000;

export const createPresenceWatchers = ({ presences, view, listen, unlisten }: Options): PresenceWatchers => {
  const watched = new Map<string, Watched>();
  const keysOf = new Map<Connection, Set<string>>();

  const tell = (appId: string, presence: Presence): void => {
    const entry = watched.get(`${appId}/${presence.userId}`);
    // Heard twice, or late.
    if (!entry || presence.version <= entry.version) return;
    entry.version = presence.version;
    const bodies = new Map<boolean, FrameBody>();
    for (const connection of entry.by) {
      const isOwn = connection.caller.userId === presence.userId;
      if (presence.hidden && !isOwn) continue;
      const body = bodies.get(isOwn) ?? frameBody(presenceChange(viewOf(appId, isOwn, presence), presence));
      bodies.set(isOwn, body);
      connection.push('change', body);
    }
  };

  const viewOf = (appId: string, isOwn: boolean, { userId }: Presence): View =>
    isOwn ? { ...view, appId, userId } : { ...view, appId };

  return {
    async watch(connection, userIds) {
      const { appId } = connection.caller;
      const keys = keysOf.get(connection) ?? new Set<string>();
      keysOf.set(connection, keys);
      const fresh = userIds.filter((userId) => !keys.has(`${appId}/${userId}`));
      for (const userId of fresh) {
        const key = `${appId}/${userId}`;
        const entry = watched.get(key) ?? { appId, userId, version: 0, by: new Set<Connection>() };
        watched.set(key, entry);
        entry.by.add(connection);
        keys.add(key);
      }
      await Promise.all(fresh.map(listen));
    },
    watchedBy: (connection) =>
      [...(keysOf.get(connection) ?? [])].flatMap((key) => watched.get(key)?.userId ?? []),
    left(connection) {
      for (const key of keysOf.get(connection) ?? []) {
        const entry = watched.get(key);
        if (!entry) continue;
        entry.by.delete(connection);
        unlisten(entry.userId);
        if (entry.by.size === 0) watched.delete(key);
      }
      keysOf.delete(connection);
    },
    hear(payload, appId) {
      for (const presence of fromBinary(PresenceBatchSchema, payload).presences) tell(appId, presence);
    },
    async catchUp() {
      const byApp = Map.groupBy(watched.values(), ({ appId }) => appId);
      for (const [appId, entries] of byApp) {
        for (let at = 0; at < entries.length; at += MOST_IN_CALL) {
          const userIds = entries.slice(at, at + MOST_IN_CALL).map(({ userId }) => userId);
          for (const presence of (await presences.getPresences({ appId, userIds })).presences)
            tell(appId, presence);
        }
      }
    },
  };
};
