import type {
  DeleteAppRequest,
  DeleteAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { endApp } from '../../journal/repeat.ts';
import { markAppDeleted } from '../../sql/app.ts';
import { parseAppId } from '../../admin/parse-input.ts';
import { failUnknown } from '../../admin/look-up.ts';

/**
 * Ends the application's sessions and access tokens with the commit. A timer removes its other data, and an event
 * makes other services do the same.
 */
export async function deleteApp(
  ctx: Context,
  req: DeleteAppRequest,
): RpcResponse<typeof DeleteAppResponseSchema> {
  const appId = parseAppId(ctx.wire, req.appUuid);
  await ctx.db.tx(async (tx) => {
    if (!(await markAppDeleted(tx, appId, ctx.clock.now()))) failUnknown('app', appId);
    await ctx.journal.add(tx, { kind: 'app.deleted', appId });
    await endApp(ctx, tx, appId);
    await audit(ctx, tx, { appId, action: 'app.deleted', actor: 'admin', subject: appId });
  });
  return {};
}
