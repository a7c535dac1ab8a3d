import { create } from '@parley/codec';
import { noteDeletedApps } from '@parley/kit/durable/app-removal';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { restoreIdentity, emptyIdentity } from '../identity/change.ts';
import { eraseLocked } from '../identity/erase.ts';
import { removeUser, setSuspended } from '../identity/users.ts';
import { publishSessionsEnded, revokeApp } from '../session/sessions.ts';
import { deleteAccessToken, deleteAccessTokensOfApp } from '../sql/access-token.ts';
import { findApp, markAppDeleted, setAppSuspended } from '../sql/app.ts';
import { deleteAutomationToken } from '../sql/automation-token.ts';
import { endConsoleSessionById } from '../sql/console-session.ts';
import { deleteTokensOfConsoleSession } from '../sql/console-token.ts';
import { insertIdentity, lockIdentity, type UserKey } from '../sql/identity.ts';
import { markProviderDeleted } from '../sql/provider.ts';
import { markProviderKeyDeleted, setProviderKeyDisabled } from '../sql/provider-key.ts';
import { deletePushTokensOfSession } from '../sql/push-token.ts';
import { insertRevocations } from '../sql/revocation.ts';
import { deleteSessionsById } from '../sql/session.ts';
import { IdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Act } from './entry.ts';

/** Repeats an act of a lost transaction. False: this database has nothing to which the act applies, or has performed it already. */
export async function repeatAct(ctx: Context, tx: Tx, act: Act): Promise<boolean> {
  switch (act.kind) {
    case 'user.erased':
      return eraseAgain(ctx, tx, act);
    case 'user.deleted':
    case 'user.restored':
    case 'user.suspended':
    case 'user.resumed':
      return changeUserAgain(ctx, tx, act);
    case 'sessions.ended':
      return endSessionsAgain(ctx, tx, act);
    case 'app.suspended':
    case 'app.resumed':
    case 'app.deleted':
      return changeAppAgain(ctx, tx, act);
    default:
      return changeObjectAgain(ctx, tx, act);
  }
}

type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>;

/** A user who is not known here either may have records in databases of a later moment: the erasure takes those. */
async function eraseAgain(ctx: Context, tx: Tx, act: ActOf<'user.erased'>): Promise<boolean> {
  const { appId, userId, version } = act;
  if (!(await findApp(tx, appId))) return false;
  const user = { appId, userId };
  const before =
    (await lockIdentity(tx, user)) ??
    (await insertIdentity(tx, create(IdentitySchema, { ...emptyIdentity(user), deleted: true })));
  if (!before || before.incarnation >= version) return false;
  await eraseLocked(ctx, tx, before, { atLeast: version });
  return true;
}

type UserAct = ActOf<'user.deleted' | 'user.restored' | 'user.suspended' | 'user.resumed'>;

async function changeUserAgain(ctx: Context, tx: Tx, { kind, appId, userId }: UserAct): Promise<boolean> {
  const user: UserKey = { appId, userId };
  const before = await lockIdentity(tx, user);
  if (!before || before.deleted !== (kind === 'user.restored')) return false;
  if (kind === 'user.suspended' || kind === 'user.resumed')
    return setSuspended(ctx, tx, { ...user, suspended: kind === 'user.suspended' });
  if (kind === 'user.deleted') await removeUser(ctx, tx, user);
  else await restoreIdentity(ctx, tx, user, () => ({ ...emptyIdentity(user), type: before.type }));
  return true;
}

async function endSessionsAgain(ctx: Context, tx: Tx, act: ActOf<'sessions.ended'>): Promise<boolean> {
  const { appId, userId, sessionIds } = act;
  const ended = await deleteSessionsById(tx, { appId, userId, ids: sessionIds });
  for (const id of ended) await deletePushTokensOfSession(tx, { appId, userId }, id);
  await publishSessionsEnded(ctx, tx, { appId, userId }, ended);
  return ended.length > 0;
}

async function changeAppAgain(
  ctx: Context,
  tx: Tx,
  { kind, appId }: ActOf<'app.suspended' | 'app.resumed' | 'app.deleted'>,
): Promise<boolean> {
  if (kind !== 'app.deleted') {
    if (!(await setAppSuspended(tx, appId, kind === 'app.suspended'))) return false;
    await revokeApp(ctx, tx, appId);
    return true;
  }
  if (!(await markAppDeleted(tx, appId, ctx.clock.now()))) return false;
  await endApp(ctx, tx, appId);
  return true;
}

/** Ends everything of an application that has been marked as deleted. */
export async function endApp(ctx: Context, tx: Tx, appId: string): Promise<void> {
  await noteDeletedApps(tx, [appId], ctx.clock);
  await deleteAccessTokensOfApp(tx, appId);
  await revokeApp(ctx, tx, appId);
  await ctx.emit(tx, { appId, body: { case: 'appDeleted', value: {} } });
}

type ObjectAct = Exclude<Act, { appId: string }>;

async function changeObjectAgain(ctx: Context, tx: Tx, { kind, id }: ObjectAct): Promise<boolean> {
  switch (kind) {
    case 'access_token.deleted':
      return revokeAgain(ctx, tx, id, await deleteAccessToken(tx, id));
    case 'automation_token.deleted':
      return deleteAutomationToken(tx, id);
    case 'console_session.ended':
      return endConsoleSessionAgain(ctx, tx, id);
    case 'key.disabled':
    case 'key.enabled':
      return setProviderKeyDisabled(tx, id, kind === 'key.disabled');
    case 'key.deleted':
      return markProviderKeyDeleted(tx, id, ctx.clock.now());
    case 'provider.deleted':
      return markProviderDeleted(tx, id, ctx.clock.now());
    default:
      // Written by a later release.
      return false;
  }
}

async function revokeAgain(ctx: Context, tx: Tx, id: string, appId: string | undefined): Promise<boolean> {
  if (appId === undefined) return false;
  await insertRevocations(tx, { appId, subjects: [{ accessTokenId: id }], now: ctx.clock.now() });
  return true;
}

async function endConsoleSessionAgain(ctx: Context, tx: Tx, id: string): Promise<boolean> {
  if (!(await endConsoleSessionById(tx, id))) return false;
  for (const token of await deleteTokensOfConsoleSession(tx, id))
    await revokeAgain(ctx, tx, token.id, token.app_id);
  return true;
}
