import { create } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { callInHalves } from '@parley/kit/byte-budget';
import { LRUCache } from 'lru-cache';
import { BasicIdentitySchema, type BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';

export type Senders = {
  /** Whom announcements are from, as they are called now; by user id. */
  find(appId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, BasicIdentity>>;
};

const MOST = 10_000;
/** A changed name is shown within a second. */
const KEPT_MS = 500;

/** An app has few senders, however many announcements: they are asked for by name, and remembered for a moment. */
export function createSenders(identity: Client<typeof IdentityService>): Senders {
  const known = new LRUCache<string, BasicIdentity>({ max: MOST, ttl: KEPT_MS });
  return {
    async find(appId, userIds) {
      const found = new Map<string, BasicIdentity>();
      const missing = new Set<string>();
      for (const userId of userIds) {
        const sender = known.get(`${appId}/${userId}`);
        if (sender) found.set(userId, sender);
        else missing.add(userId);
      }
      if (missing.size === 0) return found;
      const identities = await callInHalves([...missing], async (userIds) => {
        return (await identity.findIdentities({ appId, userIds })).identities;
      });
      const named = new Map(identities.map((one) => [one.userId, one]));
      for (const userId of missing) {
        const { displayName, avatarUrl } = named.get(userId) ?? {};
        const sender = create(BasicIdentitySchema, {
          userId,
          ...(displayName !== undefined && { displayName }),
          ...(avatarUrl !== undefined && { avatarUrl }),
        });
        known.set(`${appId}/${userId}`, sender);
        found.set(userId, sender);
      }
      return found;
    },
  };
}
