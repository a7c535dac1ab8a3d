import { failNotFound } from '@parley/domain/problems';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { GatewayContext } from '../../context.ts';

/** Problems: not_found. */
export async function getIdentity(ctx: GatewayContext, appId: string, userId: string): Promise<Identity> {
  const { identities } = await ctx.identity.findIdentities({ appId, userIds: [userId] });
  const found = identities.find((identity) => identity.userId === userId);
  return found && !found.deleted ? found : failNotFound('identity', userId);
}

/** Finds an identity and its presence, which is undefined if the user has never connected, or if a block hides it from the viewer. `viewer`: empty for a server. */
export async function getPresentIdentity(
  ctx: GatewayContext,
  appId: string,
  { userId, viewer }: { userId: string; viewer: string },
): Promise<{ identity: Identity; presence: Presence | undefined }> {
  const [identity, { presences }] = await Promise.all([
    getIdentity(ctx, appId, userId),
    ctx.presences.getPresences({ appId, userIds: [userId], viewerUserId: viewer }),
  ]);
  return { identity, presence: presences[0] };
}
