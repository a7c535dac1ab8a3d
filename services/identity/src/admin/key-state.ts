import { audit } from './audit.ts';
import type { Context } from '../context.ts';
import { setProviderKeyDisabled } from '../sql/provider-key.ts';
import { getKey } from './look-up.ts';

/** Enables or disables a key; does nothing when it is in that state already. Fails with not_found. */
export async function setKeyState(
  ctx: Context,
  reference: string,
  { disabled }: { disabled: boolean },
): Promise<void> {
  const { id, app_uuid: appId } = await getKey(ctx, reference);
  await ctx.db.tx(async (tx) => {
    if (!(await setProviderKeyDisabled(tx, id, disabled))) return;
    const action = disabled ? 'key.disabled' : 'key.enabled';
    await ctx.journal.add(tx, { kind: action, id });
    await audit(ctx, tx, { appId, action, actor: 'admin', subject: id });
  });
}
