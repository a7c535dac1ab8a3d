import { failNotFound } from '@parley/domain/problems';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Uses } from '../context.ts';

/** Problems: not_found. */
export async function getIdentity(ctx: Uses<'identity'>, appId: string, userId: string): Promise<Identity> {
  const { identities } = await ctx.identity.findIdentities({ appId, userIds: [userId] });
  const found = identities.find((identity) => identity.userId === userId);
  return found && !found.deleted ? found : failNotFound('identity', userId);
}

export type PresentIdentity = { identity: Identity; presence: Presence | undefined };

/** Gives each identity its presence, if there is one. */
export function joinPresences(identities: Identity[], presences: Presence[]): PresentIdentity[] {
  const presenceOf = new Map(presences.map((presence) => [presence.userId, presence]));
  return identities.map((identity) => ({ identity, presence: presenceOf.get(identity.userId) }));
}

/**
 * Finds an identity and its presence, which is undefined if the user has never connected or a block hides it from the viewer. `viewer` is
 * empty for a server.
 */
export async function getPresentIdentity(
  ctx: Uses<'identity' | 'presences'>,
  appId: string,
  { userId, viewer }: { userId: string; viewer: string },
): Promise<PresentIdentity> {
  const [identity, { presences }] = await Promise.all([
    getIdentity(ctx, appId, userId),
    ctx.presences.getPresences({ appId, userIds: [userId], viewerUserId: viewer }),
  ]);
  return { identity, presence: presences[0] };
}
