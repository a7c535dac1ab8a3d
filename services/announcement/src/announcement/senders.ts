import { create } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import { LRUCache } from 'lru-cache';
import { BasicIdentitySchema, type BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';

export type Senders = {
  /** The senders' current names and avatars, by user id. */
  find(appId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, BasicIdentity>>;
};

const MAX_CACHED_SENDERS = 10_000;
/** A changed name shows after at most this time. */
const CACHE_TTL_MS = 500;

/** Caches senders' names for a moment: an application has few senders, even with many announcements. */
export function createSenders(identity: Client<typeof IdentityService>): Senders {
  const cache = new LRUCache<string, BasicIdentity>({ max: MAX_CACHED_SENDERS, ttl: CACHE_TTL_MS });
  return {
    async find(appId, userIds) {
      const found = new Map<string, BasicIdentity>();
      const missing = new Set<string>();
      for (const userId of userIds) {
        const sender = cache.get(`${appId}/${userId}`);
        if (sender) found.set(userId, sender);
        else missing.add(userId);
      }
      if (missing.size === 0) return found;
      const identities = await callInHalves([...missing], async (userIds) => {
        return (await identity.findIdentities({ appId, userIds })).identities;
      });
      const identityById = new Map(identities.map((identity) => [identity.userId, identity]));
      for (const userId of missing) {
        const { displayName, avatarUrl } = identityById.get(userId) ?? {};
        const sender = create(BasicIdentitySchema, {
          userId,
          ...(displayName !== undefined && { displayName }),
          ...(avatarUrl !== undefined && { avatarUrl }),
        });
        cache.set(`${appId}/${userId}`, sender);
        found.set(userId, sender);
      }
      return found;
    },
  };
}
