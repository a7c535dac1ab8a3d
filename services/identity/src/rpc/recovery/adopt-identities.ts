import { create } from '@parley/codec';
import type { Tx } from '@parley/kit/postgres';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { IdentitySchema, IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type {
  AdoptIdentitiesRequest,
  AdoptIdentitiesResponseSchema,
  IdentityCopy,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { publishIdentityChange, restoreIdentity } from '../../identity/change.ts';
import { eraseLocked } from '../../identity/erase.ts';
import { listChangedFields } from '../../identity/fields.ts';
import { findAppStates } from '../../sql/app.ts';
import { findIdentities, insertIdentity, lockIdentity, raiseIdentity } from '../../sql/identity.ts';

/** Makes messaging's copies follow older identities, and creates identities of which only a copy exists. */
export async function adoptIdentities(
  ctx: Context,
  { copies }: AdoptIdentitiesRequest,
): RpcResponse<typeof AdoptIdentitiesResponseSchema> {
  const counts = { createdCount: 0, renewedCount: 0, erasedCount: 0, withoutAppCount: 0 };
  const byApp = Map.groupBy(copies, ({ appId }) => appId);
  const apps = await findAppStates(ctx.db, [...byApp.keys()]);
  for (const [appId, own] of byApp) {
    const isDeleted = apps.get(appId);
    if (isDeleted === undefined) counts.withoutAppCount += own.length;
    if (isDeleted !== false) continue;
    const userIds = own.map(({ userId }) => userId);
    const found = new Map((await findIdentities(ctx.db, appId, userIds)).map((row) => [row.userId, row]));
    for (const copy of own) {
      if (!isAhead(copy, found.get(copy.userId))) continue;
      const outcome = await ctx.db.tx((tx) => adopt(ctx, tx, copy));
      if (outcome) counts[outcome] += 1;
    }
  }
  return counts;
}

/** Whether the copy is of a state that this database has lost. */
function isAhead(copy: IdentityCopy, row: Identity | undefined): boolean {
  if (!row || row.version < copy.version || row.incarnation < copy.incarnation) return true;
  return row.version === copy.version && listChangedFields(row, asCopied(row, copy)).length > 0;
}

/** The identity with what the copy has of it. */
function asCopied(row: Identity, { displayName, avatarUrl, isBot, deleted }: IdentityCopy): Identity {
  const shown: Identity = { ...row, type: isBot ? IdentityType.BOT : IdentityType.USER, deleted };
  delete shown.displayName;
  delete shown.avatarUrl;
  if (displayName !== undefined) shown.displayName = displayName;
  if (avatarUrl !== undefined) shown.avatarUrl = avatarUrl;
  return shown;
}

type Outcome = 'createdCount' | 'renewedCount' | 'erasedCount';

async function adopt(ctx: Context, tx: Tx, copy: IdentityCopy): Promise<Outcome | undefined> {
  const { appId, userId, version } = copy;
  const row = await lockIdentity(tx, { appId, userId });
  if (!isAhead(copy, row)) return undefined;
  if (!row) return createFrom(ctx, tx, copy);
  if (row.incarnation < copy.incarnation) return eraseFrom(ctx, tx, row, copy);
  const raised = await raiseIdentity(tx, { appId, userId, version: version + 1 });
  const fields = listChangedFields(asCopied(row, copy), row);
  if (fields.length > 0) await publishIdentityChange(ctx, tx, raised, { created: false, fields });
  return 'renewedCount';
}

async function createFrom(ctx: Context, tx: Tx, copy: IdentityCopy): Promise<Outcome | undefined> {
  const { appId, userId, version, incarnation } = copy;
  const draft = asCopied(create(IdentitySchema, { appId, userId }), copy);
  if (!(await insertIdentity(tx, draft))) return undefined;
  const identity = await raiseIdentity(tx, { appId, userId, version: version + 1, incarnation });
  if (!identity.deleted) {
    const fields = listChangedFields(create(IdentitySchema, { appId, userId }), identity);
    await publishIdentityChange(ctx, tx, identity, { created: true, fields });
  }
  return 'createdCount';
}

/** An erasure that the journal does not have; the user may have come back since. */
async function eraseFrom(ctx: Context, tx: Tx, row: Identity, copy: IdentityCopy): Promise<Outcome> {
  const { appId, userId, version, incarnation } = copy;
  await eraseLocked(ctx, tx, row, { atLeast: incarnation });
  await raiseIdentity(tx, { appId, userId, version });
  if (!copy.deleted) {
    const returned = asCopied(create(IdentitySchema, { appId, userId }), copy);
    await restoreIdentity(ctx, tx, { appId, userId }, () => returned);
  }
  return 'erasedCount';
}
