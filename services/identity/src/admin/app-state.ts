import { audit } from './audit.ts';
import type { Context } from '../context.ts';
import { revokeApp } from '../session/sessions.ts';
import { setAppSuspended } from '../sql/app.ts';
import { getApp } from './look-up.ts';

/** Suspends or resumes an application; does nothing when it is in that state already. Fails with not_found. */
export async function setAppState(
  ctx: Context,
  reference: string,
  { suspended }: { suspended: boolean },
): Promise<void> {
  const { app_uuid: appId } = await getApp(ctx, reference);
  await ctx.db.tx(async (tx) => {
    if (!(await setAppSuspended(tx, appId, suspended))) return;
    await revokeApp(ctx, tx, appId);
    const action = suspended ? 'app.suspended' : 'app.resumed';
    await ctx.journal.add(tx, { kind: action, appId });
    await audit(ctx, tx, { appId, action, actor: 'admin', subject: appId });
  });
}
