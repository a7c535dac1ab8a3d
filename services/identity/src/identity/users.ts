import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { changeIdentity, emptyIdentity } from './change.ts';
import { endSessionsOfUser, revokeUser } from '../session/sessions.ts';
import { findIdentities, type UserKey } from '../sql/identity.ts';

/** Fails with not_found if the user does not exist or is deleted. */
export async function requireUser(ctx: Context, { appId, userId }: UserKey): Promise<void> {
  const [identity] = await findIdentities(ctx.db, appId, [userId]);
  if (!identity || identity.deleted) failUnknownUser(userId);
}

/**
 * Suspends or resumes a user; returns whether that changed anything. Suspension ends the user's sessions. Fails with
 * not_found.
 */
export async function setSuspended(
  ctx: Context,
  tx: Tx,
  user: UserKey & { suspended: boolean },
): Promise<boolean> {
  let changes = false;
  await changeIdentity(ctx, tx, user, (before) => {
    if (!before) return failUnknownUser(user.userId);
    changes = before.suspended !== user.suspended;
    return { ...before, suspended: user.suspended };
  });
  if (!changes) return false;
  if (user.suspended) await endSessionsOfUser(ctx, tx, user);
  await revokeUser(ctx, tx, user);
  const kind = user.suspended ? 'user.suspended' : 'user.resumed';
  await ctx.journal.add(tx, { kind, appId: user.appId, userId: user.userId });
  return true;
}

/** Deletes a user: the identity keeps its ids, type and version. Fails with not_found. */
export async function removeUser(ctx: Context, tx: Tx, user: UserKey): Promise<Identity> {
  const identity = await changeIdentity(ctx, tx, user, (before) =>
    before ? { ...emptyIdentity(user), type: before.type, deleted: true } : failUnknownUser(user.userId),
  );
  await endSessionsOfUser(ctx, tx, user);
  await revokeUser(ctx, tx, user);
  await ctx.journal.add(tx, { kind: 'user.deleted', appId: user.appId, userId: user.userId });
  return identity;
}

/** Fails with not_found. */
export function failUnknownUser(userId: string): never {
  return failNotFound('identity', userId);
}
