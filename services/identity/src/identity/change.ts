import { create } from '@bufbuild/protobuf';
import type { Tx } from '@parley/kit/postgres';
import { IdentitySchema, IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { toEventPayload } from './event-payload.ts';
import { listChangedFields } from './fields.ts';
import { findPresences } from '../presence/find.ts';
import { advanceFollowingStamps } from '../sql/following.ts';
import { insertIdentityChange } from '../sql/identity-change.ts';
import { insertIdentity, lockIdentity, updateIdentity, type UserKey } from '../sql/identity.ts';

/** Says what becomes of an identity; gets undefined when there is none, or only a deleted one. May fail. */
export type IdentityChange = (before: Identity | undefined) => Identity;

/**
 * The one way to change an identity: the row is locked first, so that a change is based on what is there; only what
 * differs is written, with the next version and an event, in this transaction.
 */
export async function changeIdentity(
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
  // Whoever goes or comes back is out of, or in, the lists of all who follow them.
  if (row.deleted !== identity.deleted) await advanceFollowingStamps(tx, user.appId, ['']);
  await publishIdentityChange(ctx, tx, identity, { created: !before, fields });
  return identity;
}

async function addIdentity(ctx: Context, tx: Tx, user: UserKey, change: IdentityChange): Promise<Identity> {
  const wanted = change(undefined);
  const identity = await insertIdentity(tx, wanted);
  // Somebody else was first: the row is there now.
  if (!identity) return changeIdentity(ctx, tx, user, change);
  const fields = listChangedFields(emptyIdentity(user), identity);
  await publishIdentityChange(ctx, tx, identity, { created: true, fields });
  return identity;
}

type ChangeSummary = { created: boolean; fields: string[] };

/** In the log that replays come from, and to other processes. */
async function publishIdentityChange(
  ctx: Context,
  tx: Tx,
  identity: Identity,
  { created, fields }: ChangeSummary,
): Promise<void> {
  const { appId, userId, version } = identity;
  const createdAt = ctx.clock.now();
  await insertIdentityChange(tx, { appId, userId, version, createdAt, created, fields });
  const presence = (await findPresences(tx, appId, [userId])).get(userId);
  const value = { ...toEventPayload(identity), created, fields, ...(presence && { presence }) };
  await ctx.emit(tx, { appId, body: { case: 'identityChanged', value } });
}

export function emptyIdentity({ appId, userId }: UserKey): Identity {
  return create(IdentitySchema, { appId, userId, type: IdentityType.USER });
}
