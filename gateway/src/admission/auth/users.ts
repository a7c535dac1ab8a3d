import type { Client } from '@connectrpc/connect';
import { fail, failNotFound } from '@parley/domain/problems';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Revocations } from './revocations.ts';
import { concernsUser } from './revoked.ts';
import { createVerifiedCache } from './verified-cache.ts';

/** Users on whose behalf an app's server acts. */
export type Users = {
  /** The incarnation of the user. Problems: not_found, user_suspended. */
  checkActive(appId: string, userId: string): Promise<{ incarnation: number }>;
};

type KnownUser = { appId: string; userId: string; incarnation: number };
type Options = { identity: Client<typeof IdentityService>; revocations: Revocations };

const MAX_CACHED = 50_000;

export function createUsers({ identity, revocations }: Options): Users {
  const cache = createVerifiedCache<KnownUser>({
    max: MAX_CACHED,
    revocations,
    concerns: (user, revoked) => concernsUser(revoked, user),
  });

  async function lookUp(appId: string, userId: string): Promise<KnownUser> {
    const { identities } = await identity.findIdentities({ appId, userIds: [userId] });
    const found = identities.find((candidate) => candidate.userId === userId);
    if (!found || found.deleted) return failNotFound('identity', userId);
    if (found.suspended) return fail('user_suspended');
    return { appId, userId, incarnation: found.incarnation };
  }

  return {
    checkActive: async (appId, userId) => cache.get(`${appId}/${userId}`, () => lookUp(appId, userId)),
  };
}
