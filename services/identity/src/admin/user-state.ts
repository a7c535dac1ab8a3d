import { audit } from './audit.ts';
import type { Context } from '../context.ts';
import { setSuspended } from '../identity/users.ts';
import { getApp } from './look-up.ts';

/** Suspends or resumes a user; does nothing when the user is in that state already. Fails with not_found. */
export async function setUserState(
  ctx: Context,
  { appUuid, userId }: { appUuid: string; userId: string },
  { suspended }: { suspended: boolean },
): Promise<void> {
  const { app_uuid: appId } = await getApp(ctx, appUuid);
  await ctx.db.tx(async (tx) => {
    if (!(await setSuspended(ctx, tx, { appId, userId, suspended }))) return;
    const action = suspended ? 'user.suspended' : 'user.resumed';
    await audit(ctx, tx, { appId, action, actor: 'admin', subject: userId });
  });
}
