import { create } from '@parley/codec';
import type { Tx } from '@parley/kit/postgres';
import { failNewUserId } from '@parley/domain/problems';
import { isNewUserId } from '@parley/domain/user-id';
import { IdentitySchema, IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { toEventPayload } from './event-payload.ts';
import { listChangedFields } from './fields.ts';
import { findPresences } from '../presence/find.ts';
import { advanceFollowingStamps } from '../sql/following.ts';
import { insertIdentityChange } from '../sql/identity-change.ts';
import { insertIdentity, lockIdentity, updateIdentity, type UserKey } from '../sql/identity.ts';

/** Derives the new identity from the present one, which is undefined if the user does not exist or is deleted. May fail. */
export type IdentityChange = (before: Identity | undefined) => Identity;

/**
 * The only way to change an identity, except for recovery. Locks the row first, so that the change is based on its present state; a
 * difference is written with the next version and an event in this transaction. Problems: invalid_property (user_id) when this would create
 * a user with an id that new users cannot get.
 */
export async function changeIdentity(
  ctx: Context,
  tx: Tx,
  user: UserKey,
  change: IdentityChange,
): Promise<Identity> {
  return restoreIdentity(ctx, tx, user, (before) => {
    const wanted = change(before);
    return before || isNewUserId(user.userId) ? wanted : failNewUserId();
  });
}

/** Restores an identity that another record remembers. Its user id is kept, even if no new user could get it. */
export async function restoreIdentity(
  ctx: Context,
  tx: Tx,
  user: UserKey,
  change: IdentityChange,
): Promise<Identity> {
  const row = await lockIdentity(tx, user);
  if (!row) return addIdentity(ctx, tx, user, change);
  const before = row.deleted ? undefined : row;
  const wanted = change(before);
  const fields = listChangedFields(row, wanted);
  if (fields.length === 0) return row;
  const identity = await updateIdentity(tx, wanted);
  // A deleted user leaves, and a restored user joins, the following lists of all their followers.
  if (row.deleted !== identity.deleted) await advanceFollowingStamps(tx, user.appId, ['']);
  if (row.deleted && !identity.deleted)
    await ctx.journal.add(tx, { kind: 'user.restored', appId: user.appId, userId: user.userId });
  await publishIdentityChange(ctx, tx, identity, { created: !before, fields });
  return identity;
}

async function addIdentity(ctx: Context, tx: Tx, user: UserKey, change: IdentityChange): Promise<Identity> {
  const wanted = change(undefined);
  const identity = await insertIdentity(tx, wanted);
  // Another transaction inserted the row first.
  if (!identity) return restoreIdentity(ctx, tx, user, change);
  const fields = listChangedFields(emptyIdentity(user), identity);
  await publishIdentityChange(ctx, tx, identity, { created: true, fields });
  return identity;
}

type ChangeSummary = { created: boolean; fields: string[] };

/** Writes the change to the log that replays read, and publishes it. */
export async function publishIdentityChange(
  ctx: Context,
  tx: Tx,
  identity: Identity,
  { created, fields }: ChangeSummary,
): Promise<void> {
  const { appId, userId, version } = identity;
  const createdAt = ctx.clock.now();
  await insertIdentityChange(tx, { appId, userId, version, createdAt, created, fields });
  const presence = (await findPresences(tx, appId, { userIds: [userId], viewer: '' })).get(userId);
  const value = { ...toEventPayload(identity), created, fields, ...(presence && { presence }) };
  await ctx.emit(tx, { appId, body: { case: 'identityChanged', value } });
}

/** An identity without any field. */
export function emptyIdentity({ appId, userId }: UserKey): Identity {
  return create(IdentitySchema, { appId, userId, type: IdentityType.USER });
}
