import { audit } from './audit.ts';
import type { Context } from '../context.ts';
import { setSuspended } from '../identity/users.ts';
import { namedUser } from './look-up.ts';

/** Suspends or resumes a user; does nothing when the user is in that state already. Fails with not_found. */
export async function setUserState(
  ctx: Context,
  named: { appUuid: string; userId: string },
  { suspended }: { suspended: boolean },
): Promise<void> {
  const { appId, userId } = await namedUser(ctx, named);
  await ctx.db.tx(async (tx) => {
    if (!(await setSuspended(ctx, tx, { appId, userId, suspended }))) return;
    const action = suspended ? 'user.suspended' : 'user.resumed';
    await audit(ctx, tx, { appId, action, actor: 'admin', subject: userId });
  });
}
